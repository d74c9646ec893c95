// Moves a message to the foot or a little above it, to the top, or below the bar: where it covers least. Sums up, for each position, the
// covered area of every control and text on the screen, weighted by how much the visitor needs it.

const PRESSED = "a, button, input, select, textarea, summary, label";
const READ = "h1, h2, h3, h4, h5, p, li, dt, dd, strong";
const SOUGHT = "h1, strong, .button, [class*='-price']";
const WEIGHTS = { focused: 200, sought: 50, pressed: 10, read: 1 }; // per square pixel
const weightOf = (element) => {
  if (element === document.activeElement) {
    return WEIGHTS.focused;
  }
  return element.matches(SOUGHT) ? WEIGHTS.sought : element.matches(PRESSED) ? WEIGHTS.pressed : WEIGHTS.read;
};
// A text is often narrower than its element.
const areaOf = (element) => {
  if (element.matches(PRESSED)) {
    return element.getBoundingClientRect();
  }
  const range = document.createRange();
  range.selectNodeContents(element);
  return range.getBoundingClientRect();
};
const positions = (height) => {
  const foot = (visualViewport?.height ?? innerHeight) - height - 16;
  const bar = document.querySelector(".bar")?.getBoundingClientRect().bottom ?? 0;
  return [
    ...[0, height, 2 * height].map((lift) => ({ top: foot - lift, className: "", lift })),
    { top: 0, className: "snackbar-high", lift: 0 },
    { top: bar + 8, className: "snackbar-below", lift: 0 },
  ];
};

// Returns how much a box of this size covers at each of the positions: the weighted area of everything in its container.
const coveredAt = (candidates, box, { left, right, height }) => {
  const covered = candidates.map(() => 0);
  const screen = { top: 0, bottom: visualViewport?.height ?? innerHeight };
  const visiblePart = box.closest("dialog")?.getBoundingClientRect() ?? screen; // a dialog clips what it scrolls
  for (const element of box.parentNode.querySelectorAll(`${PRESSED}, ${READ}`)) {
    const area = areaOf(element);
    const isApart = !area.height || area.right <= left || area.left >= right || box.contains(element);
    if (isApart || element.checkVisibility?.() === false) {
      continue;
    }
    const width = Math.min(right, area.right) - Math.max(left, area.left);
    const weight = weightOf(element);
    candidates.forEach(({ top }, index) => {
      const covers = Math.min(top + height, area.bottom, visiblePart.bottom) - Math.max(top, area.top, visiblePart.top);
      covered[index] += weight * width * Math.max(0, covers);
    });
  }
  return covered;
};

/** Moves the box of a message where it covers least of the page or dialog that contains it. */
export const avoidCovering = (box) => {
  const area = box.getBoundingClientRect();
  const candidates = positions(area.height);
  const covered = coveredAt(candidates, box, area);
  const best = candidates[covered.indexOf(Math.min(...covered))];
  for (const { className } of candidates) {
    if (className) {
      box.classList.toggle(className, className === best.className);
    }
  }
  box.style.setProperty("--lift", `${best.lift}px`);
};
