// Whether the address or the page that linked here says where a visitor came from; only then is it remembered (attribution.js).
export const isPrivate = () => navigator.doNotTrack === "1" || navigator.globalPrivacyControl === true;

export const arrival = () => {
  const { referrer } = document;
  if (/[?&](utm_|ref=)/.test(location.search) || !referrer.startsWith(referrer && location.origin + "/")) {
    import("$/components/browser/reading/attribution").catch(() => {}); // the page does without
  }
};
