// Stands in for React Router's fetching of loader data: no page of Reflex has a loader or an action, so there is none to decode, and
// what is left of a navigation is to load the page's module.
const refuse = () => {
  throw new Error("loaders and actions are left out of this build: see site_app/build/single_fetch.js");
};

const load = async ({ request, matches }) => {
  if (request.method !== "GET") refuse();
  const loaded = matches
    .filter((match) => match.shouldCallHandler())
    .map(async (match) => [match.route.id, await match.resolve((handler) => handler())]);
  return Object.fromEntries(await Promise.all(loaded));
};

export const getTurboStreamSingleFetchDataStrategy = () => async (args) => args.runClientMiddleware(load);
export const decodeViaTurboStream = async () => ({ value: { loaderData: {}, actionData: undefined, errors: undefined } });
export const SingleFetchRedirectSymbol = Symbol("SingleFetchRedirect");
export const singleFetchUrl = refuse;
