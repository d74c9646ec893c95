// Stands in every page. Keeps what the visitor presses before the page's script is there, and asks for that script after the first paint,
// which it would only hold up.
window.early = [];
window.onclick =
  window.onsubmit =
  window.onpointerdown =
    (event) => {
      window.early.push(event);
      if (event.target.closest(`[data-react~=${event.type}]`)) {
        event.preventDefault();
      }
    };

{
  const { src } = document.currentScript.dataset;
  const observer = new PerformanceObserver(() => {
    observer.disconnect();
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src }));
  });
  observer.observe({ type: "paint", buffered: true });
}
