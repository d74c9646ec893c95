// Reports a page view to the collector beside us: no cookie, no identifier, nothing stored.
window.insights = (view) => {
  if (navigator.doNotTrack === "1" || navigator.globalPrivacyControl === true) return;
  const body = new Blob([JSON.stringify(view)], { type: "application/json" });
  if (!navigator.sendBeacon?.("/insights/view", body)) console.warn("a page view was not reported");
};
