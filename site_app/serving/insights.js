// Reports a page view to the collector, beside the page or where its export says: no cookie, no identifier, nothing stored.
window.insights = (view) => {
  if (navigator.doNotTrack === "1" || navigator.globalPrivacyControl === true) {
    return;
  }
  const backend = document.querySelector("script[data-backend]")?.dataset.backend ?? "";
  // as text, which needs no leave of another origin beforehand
  if (!navigator.sendBeacon?.(`${backend}/v1.0/pageView`, JSON.stringify(view))) {
    console.warn("a page view was not reported");
  }
};
