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
  // After a lost connection, tries again after longer and longer pauses: dialogs would stay empty. The script itself ends onclick.
  const load = (pause) => import(src).finally(() => window.onclick && setTimeout(load, pause, 2 * pause));
  new PerformanceObserver(() => load(1000)).observe({ type: "paint", buffered: true });
}
