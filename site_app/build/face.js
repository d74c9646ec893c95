// The face of headlines (see components/art/font.css), fetched once. It joins when it is there: each face that joins has all text of the
// page set anew, and a class or a property on <html> would have the style of every element made anew as well.
{
  let face;
  window.headlines ??= () => (face ??= new FontFace("Instrument Sans", "url(/fonts/instrument-sans-640.woff2)", { weight: "500 800" })
    .load().then((it) => document.fonts.add(it), () => {}));
}
