// Stores where the visitor came from, if the address or the linking page shows it (see attribution.js).

/** Loads attribution.js if the address or the referrer says where the visitor came from. */
export const rememberArrival = () => {
  const { referrer } = document;
  if (/[?&](utm_|ref=)/.test(location.search) || !referrer.startsWith(referrer && location.origin + "/")) {
    import("$/components/browser/reader/attribution").catch(() => {}); // optional
  }
};
