// Inlined into every page. Stores the visitor's presses until the page's script runs, and loads that script after the first paint, so as
// not to delay it.
window.early = [];
window.onclick =
  window.onsubmit =
  window.onpointerdown =
    (event) => {
      window.early.push(event);
      if (event.target.closest?.(`[data-react~=${event.type}]`)) {
        event.preventDefault();
      }
    };

{
  const { src } = document.currentScript.dataset;
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    import(src);
  });
  observer.observe({ type: "paint", buffered: true });
}
