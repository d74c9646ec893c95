// What a page looks like to somebody whose language is longer: evaluated in the page by layout.py.
(() => {
  const ACCENTS = { a: "á", e: "ê", i: "ï", o: "õ", u: "ů", A: "Å", E: "Ê", O: "Ö", U: "Ů" };
  const longer = (text) =>
    text.replace(
      /[A-Za-z]{3,}/g,
      (word) => word.replace(/[aeiouAEOU]/g, (one) => ACCENTS[one] ?? one) + word.slice(-Math.round(word.length * 0.4)),
    );

  const done = (window.__longer ??= new WeakMap()); // what React has not written anew since

  // Every word by 40 %, which is more than a longer text: it leaves a line no more places to break at.
  const lengthen = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (done.get(node) === node.nodeValue || node.parentElement.closest("script, style, svg, .brand")) {
        continue;
      } // a name is as long as it is
      node.nodeValue = longer(node.nodeValue);
      done.set(node, node.nodeValue);
    }
    for (const field of root.querySelectorAll("[placeholder]")) {
      if (done.get(field) !== field.placeholder) {
        done.set(field, (field.placeholder = longer(field.placeholder)));
      }
    }
  };

  const name = (element) =>
    `${element.localName}.${element.className?.baseVal ?? element.className}: ${element.textContent.trim().slice(0, 40)}`;
  const isHidden = (element) =>
    element.closest(".sr-only, .honeypot, [hidden]") ||
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
  const around = (element, test) => element && (test(element) ? element : around(element.parentElement, test));
  const within = (inner, outer, room) =>
    inner.left >= outer.left - room &&
    inner.right <= outer.right + room &&
    inner.top >= outer.top - room &&
    inner.bottom <= outer.bottom + room;
  const apart = (one, other) =>
    one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 1 || other.bottom <= one.top + 1;

  const texts = function* (root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeValue.trim() && !node.parentElement.closest("script, style, svg, select") && !isHidden(node.parentElement)) {
        yield node;
      }
    }
  };

  // Texts that leave the screen, are cut off or stick out of their button; controls that overlap.
  const faults = (root) => {
    const found = [];
    const { clientWidth: width, scrollWidth } = document.documentElement;
    if (scrollWidth > width) {
      found.push("the page scrolls sideways");
    }
    for (const node of texts(root)) {
      const owner = node.parentElement;
      const range = document.createRange();
      range.selectNodeContents(node);
      const boxes = [...range.getClientRects()].filter((box) => box.width);
      const frame = around(owner, frames);
      const control = around(owner, isControl);
      const isNumber = /^[^\s\p{L}]*\d[^\s\p{L}]*$/u.test(node.nodeValue.trim());
      if (isNumber && boxes.some((box) => box.top >= boxes[0].bottom)) {
        found.push(`a number in two lines: ${name(owner)}`);
      }
      for (const box of boxes) {
        if (!around(owner, scrolls) && (box.left < -1 || box.right > width + 1)) {
          found.push(`off the screen: ${name(owner)}`);
        }
        if (frame && isCut(box, frame)) {
          found.push(`cut off: ${name(owner)}`);
        }
        // A line may be higher than the letters in it; to the sides there is no such room.
        if (control && !within(box, control.getBoundingClientRect(), 2)) {
          found.push(`sticks out of its ${control.localName}: ${name(owner)}`);
        }
      }
    }
    for (const row of root.querySelectorAll(".bar-row, .dialog-head, .snackbar")) {
      const controls = [...row.querySelectorAll("a, button, summary, h2, p")].filter((one) => !isHidden(one));
      controls.forEach((one, at) =>
        controls.slice(at + 1).forEach((two) => {
          if (!one.contains(two) && !apart(one.getBoundingClientRect(), two.getBoundingClientRect())) {
            found.push(`overlap: ${name(one)} and ${name(two)}`);
          }
        }),
      );
    }
    return [...new Set(found)];
  };

  // Lines closer than this touch each other where a language stacks marks over and under its letters.
  const tight = (root, least) => {
    const owners = [...texts(root)].filter((node) => /[\u0e00-\u0e7f]/.test(node.nodeValue)).map((node) => node.parentElement);
    const ratio = (one) => parseFloat(getComputedStyle(one).lineHeight) / parseFloat(getComputedStyle(one).fontSize);
    return [
      ...new Set(owners.filter((one) => ratio(one) < least - 0.005).map((one) => `${ratio(one).toFixed(2)} ${name(one)}`)),
    ];
  };
  window.__layout = { lengthen, faults, tight };
})();
