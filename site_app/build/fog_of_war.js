// Stands in for React Router's discovery of routes one by one: the manifest has them all (routeDiscovery is "initial"), which is
// when the real functions return at once, too.
export const isFogOfWarEnabled = () => false;
export const getPatchRoutesOnNavigationFunction = () => undefined;
export const useFogOFWarDiscovery = () => {};
export const getPartialManifest = (manifest) => manifest;
