// Reports a page view to the collector, on the page's origin or at the address that a static export has written into the page.
// Sends no cookie and no identifier, and stores nothing.
window.insights = (view) => {
  // asked here, too, because any script may call this
  if (navigator.doNotTrack === "1" || navigator.globalPrivacyControl === true) {
    return;
  }
  const backend = document.querySelector("script[data-backend]")?.dataset.backend ?? "";
  // sent as text/plain, which needs no CORS preflight
  if (!navigator.sendBeacon?.(`${backend}/v1.0/pageView`, JSON.stringify(view))) {
    console.warn("a page view was not reported");
  }
};
