// After the first paint: the face of headlines (see components/art/font.css) and the boot script, which would only make the text wait.
// The face joins when it is there, and only where its letters are: each face that joins has all text of the page set anew, and a class
// or a property on <html> would have the style of every element made anew as well.
{
  let face, gone;
  window.headlines = () => (face ??= new FontFace("Instrument Sans", "url(/fonts/instrument-sans-640.woff2)", { weight: "500 800" })
    .load().then((it) => document.fonts.add(it), () => {}));
  const go = () => {
    if (gone) return;
    gone = true;
    document.head.append(Object.assign(document.createElement("script"), { type: "module", src: document.querySelector("[data-boot]").dataset.src }));
    document.documentElement.lang == "en" && headlines();
  };
  setTimeout(go, 3000); // whatever a browser knows of what follows
  new PerformanceObserver((seen) => seen.getEntriesByName("first-contentful-paint")[0] && go()).observe({ type: "paint", buffered: true });
}
