// Stores where the visitor came from, if the address or the linking page shows it (see attribution.js).

/** Loads attribution.js if the address or the referrer says where the visitor came from. */
export const rememberArrival = () => {
  const { referrer } = document;
  const isTagged = /[?&](utm_|ref=)/.test(location.search);
  const isFromElsewhere = referrer && !referrer.startsWith(`${location.origin}/`);
  if (isTagged || isFromElsewhere) {
    import("$/components/browser/reader/attribution").catch(() => {}); // optional
  }
};
