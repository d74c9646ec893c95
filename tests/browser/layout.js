// Makes the words of a page longer, as another language would, and finds texts that no longer fit. Evaluated in the page by layout.py.
(() => {
  const ACCENTS = { a: "á", e: "ê", i: "ï", o: "õ", u: "ů", A: "Å", E: "Ê", O: "Ö", U: "Ů" };
  const longer = (text) =>
    text.replace(
      /[A-Za-z]{3,}/g,
      (word) => word.replace(/[aeiouAEOU]/g, (letter) => ACCENTS[letter] ?? letter) + word.slice(-Math.round(word.length * 0.4)),
    );

  const lengthened = (window.__longer ??= new WeakMap()); // the longer text of each node; React may have replaced it since

  // Makes every word longer by 40 %: longer words leave a line no more places to break at than before, as more words would.
  const lengthen = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      // Names, as in .brand, are not translated.
      if (lengthened.get(node) === node.nodeValue || node.parentElement.closest("script, style, svg, .brand")) {
        continue;
      }
      node.nodeValue = longer(node.nodeValue);
      lengthened.set(node, node.nodeValue);
    }
    for (const field of root.querySelectorAll("[placeholder]")) {
      if (lengthened.get(field) !== field.placeholder) {
        lengthened.set(field, (field.placeholder = longer(field.placeholder)));
      }
    }
  };

  const name = (element) =>
    `${element.localName}.${element.className?.baseVal ?? element.className}: ${element.textContent.trim().slice(0, 40)}`;
  const isClipped = (element) =>
    Boolean(element) && (getComputedStyle(element).clipPath === "inset(50%)" || isClipped(element.parentElement));
  const isHidden = (element) =>
    element.closest(".sr-only, .honeypot, [hidden]") ||
    isClipped(element) ||
    !element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX) && element.localName !== "dialog";
  const cut = /hidden|clip/;
  const frames = (element) => getComputedStyle(element).overflow !== "visible" && element !== document.documentElement;
  const isCut = (box, frame) => {
    const { overflowX, overflowY } = getComputedStyle(frame);
    const { left, right, top, bottom } = frame.getBoundingClientRect();
    return (
      (cut.test(overflowX) && (box.left < left - 1 || box.right > right + 1)) ||
      (cut.test(overflowY) && (box.top < top - 1 || box.bottom > bottom + 1))
    );
  };
  const isControl = (element) =>
    element.matches("a, button, summary, label, legend, th") && getComputedStyle(element).display !== "inline";
  const closest = (element, test) => element && (test(element) ? element : closest(element.parentElement, test));
  const isInside = (inner, outer, room) =>
    inner.left >= outer.left - room &&
    inner.right <= outer.right + room &&
    inner.top >= outer.top - room &&
    inner.bottom <= outer.bottom + room;
  const areApart = (first, second) =>
    first.right <= second.left + 1 ||
    second.right <= first.left + 1 ||
    first.bottom <= second.top + 1 ||
    second.bottom <= first.top + 1;

  const texts = function* (root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeValue.trim() && !node.parentElement.closest("script, style, svg, select") && !isHidden(node.parentElement)) {
        yield node;
      }
    }
  };

  const boxesOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter((box) => box.width);
  };
  const isNumber = (text) => /^[^\s\p{L}]*\d[^\s\p{L}]*$/u.test(text.trim());

  // Yields the faults of a text: leaves the screen, is cut off, sticks out of its button, or is a number in two lines.
  const textFaults = function* (node) {
    const owner = node.parentElement;
    const boxes = boxesOf(node);
    const frame = closest(owner, frames);
    const control = closest(owner, isControl);
    const { clientWidth: width } = document.documentElement;
    if (isNumber(node.nodeValue) && boxes.some((box) => box.top >= boxes[0].bottom)) {
      yield `a number in two lines: ${name(owner)}`;
    }
    for (const box of boxes) {
      if (!closest(owner, scrolls) && (box.left < -1 || box.right > width + 1)) {
        yield `off the screen: ${name(owner)}`;
      }
      if (frame && isCut(box, frame)) {
        yield `cut off: ${name(owner)}`;
      }
      // A line may be higher than the letters in it; to the sides there is no such room.
      if (control && !isInside(box, control.getBoundingClientRect(), 2)) {
        yield `sticks out of its ${control.localName}: ${name(owner)}`;
      }
    }
  };

  // Yields the pairs of controls in a row that overlap.
  const overlaps = function* (row) {
    const controls = [...row.querySelectorAll("a, button, summary, h2, p")].filter((control) => !isHidden(control));
    for (const [index, first] of controls.entries()) {
      for (const second of controls.slice(index + 1)) {
        if (!first.contains(second) && !areApart(first.getBoundingClientRect(), second.getBoundingClientRect())) {
          yield `overlap: ${name(first)} and ${name(second)}`;
        }
      }
    }
  };

  // Returns the faults of all texts and rows of controls below an element, each once.
  const faults = (root) => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const rows = [...root.querySelectorAll(".bar-row, .dialog-head, .snackbar")];
    const problems = [
      ...(scrollWidth > clientWidth ? ["the page scrolls sideways"] : []),
      ...[...texts(root)].flatMap((node) => [...textFaults(node)]),
      ...rows.flatMap((row) => [...overlaps(row)]),
    ];
    return [...new Set(problems)];
  };

  // Lines closer than this touch each other where a language stacks marks over and under its letters.
  const tight = (root, least) => {
    const owners = [...texts(root)].filter((node) => /[\u0e00-\u0e7f]/.test(node.nodeValue)).map((node) => node.parentElement);
    const ratio = (owner) => parseFloat(getComputedStyle(owner).lineHeight) / parseFloat(getComputedStyle(owner).fontSize);
    return [
      ...new Set(owners.filter((owner) => ratio(owner) < least - 0.005).map((owner) => `${ratio(owner).toFixed(2)} ${name(owner)}`)),
    ];
  };
  window.__layout = { lengthen, faults, tight };
})();
