// Stands in for React Router's instrumentation: nobody hands <HydratedRouter> any, so there is no receiver and nothing is wrapped.
export const consumeInstrumentationClientResultMetaReceiver = () => undefined;
export const getRouteInstrumentationUpdates = () => ({});
export const instrumentClientSideRouter = (router) => router;
