// After the first paint: the sections that are near, the face of headlines, where its letters are, and the boot script, which would only make
// the text wait. What is clicked until that is there, it sees to.
onclick = (event) => window.early = event.target;
{
  let go = () => {
    go = () => {};
    delete document.documentElement.dataset.first;
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src: document.querySelector("[data-boot]").dataset.src }));
    window.headlines?.();
  };
  setTimeout(() => go(), 3000); // whatever a browser knows of what follows
  new PerformanceObserver((seen) => seen.getEntriesByName("first-contentful-paint")[0] && go()).observe({ type: "paint", buffered: true });
}
