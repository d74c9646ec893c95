// Undoes what translators and extensions have changed in the page, just before React takes it over: React must find the markup that it would
// draw, or it draws the whole page anew, and dialogs, the focus and typed text are lost.

const MAX_CHANGES = 20_000; // of a page that changes all the time, such as by an extension's clock; React then draws it anew
const changes = [];
const note = (records) => {
  changes.push(...records);
  if (changes.length > MAX_CHANGES) {
    observer.disconnect();
    changes.length = 0;
  }
};
const observer = new MutationObserver(note);

/** Notes from now on which nodes are added and removed. Scripts of the page change only the children of its body before React runs. */
export const noteForeignChanges = () => observer.observe(document.body, { subtree: true, childList: true });

/** Undoes the noted changes, and notes no more. A translator then translates the restored texts again. */
export const undoForeignChanges = () => {
  note(observer.takeRecords());
  observer.disconnect();
  const added = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes]));
  const hadContent = ({ target, removedNodes }) => [...target.childNodes, ...removedNodes].some((node) => !added.has(node));
  const targets = new Set(changes.filter(hadContent).map(({ target }) => target));
  for (const { target, addedNodes, removedNodes, nextSibling } of changes.splice(0).reverse()) {
    // React leaves further children of the body alone, with all that was put into them, and what a script has put into an empty element.
    if (target === document.body || isInside(target, added) || !targets.has(target)) {
      continue;
    }
    for (const node of addedNodes) {
      node.remove();
    }
    for (const node of removedNodes) {
      target.insertBefore(node, nextSibling?.parentNode === target ? nextSibling : null);
    }
  }
};

const isInside = (node, nodes) => {
  for (let ancestor = node; ancestor; ancestor = ancestor.parentNode) {
    if (nodes.has(ancestor)) {
      return true;
    }
  }
  return false;
};
