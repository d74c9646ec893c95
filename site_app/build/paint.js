// After the first paint: the face of headlines (see components/art/font.css) and the boot script, which would only make the text wait.
// The face joins when it is there: a class or a property on <html> would have the style of every element made anew.
{
  let gone;
  const go = () => {
    if (gone) return;
    gone = true;
    const face = new FontFace("Instrument Sans", 'url("/fonts/instrument-sans-640.woff2")', {
      weight: "500 800", display: "swap", unicodeRange: "U+20-7E,U+A0-E9,U+2013-2026,U+20AC",
    });
    const join = () => document.fonts.add(face);
    document.documentElement.lang.startsWith("en") ? face.load().then(join, () => {}) : join();
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src: document.querySelector("[data-boot]").dataset.src }));
  };
  try {
    new PerformanceObserver((seen) => seen.getEntriesByName("first-contentful-paint").length && go()).observe({ type: "paint", buffered: true });
  } catch {}
  setTimeout(go, 3000);
}
