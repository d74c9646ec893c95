// After the first paint: the face of headlines and the boot script, which would only make the text wait.
{
  const go = () => {
    if (document.documentElement.classList.contains("painted")) return;
    document.documentElement.classList.add("painted");
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src: document.querySelector("[data-boot]").dataset.src }));
  };
  try {
    new PerformanceObserver((seen) => seen.getEntriesByName("first-contentful-paint").length && go()).observe({ type: "paint", buffered: true });
  } catch {}
  setTimeout(go, 3000);
}
