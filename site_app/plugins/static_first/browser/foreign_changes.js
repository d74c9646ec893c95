// Undoes what translators and extensions have changed in the page, just before React takes it over: React must find the markup that it would
// draw, or it draws the whole page anew, and dialogs, the focus and typed text are lost.

const changes = [];
const observer = new MutationObserver((records) => changes.push(...records));

/** Notes from now on which nodes are added and removed. Scripts of the page change only the children of its body before React runs. */
export const noteForeignChanges = () => observer.observe(document.body, { subtree: true, childList: true });

/** Undoes the noted changes, and notes no more. A translator then translates the restored texts again. */
export const undoForeignChanges = () => {
  changes.push(...observer.takeRecords());
  observer.disconnect();
  for (const { target, addedNodes, removedNodes, nextSibling } of changes.splice(0).reverse()) {
    if (target === document.body) {
      continue; // React leaves further children of the body alone
    }
    for (const node of addedNodes) {
      node.remove();
    }
    for (const node of removedNodes) {
      target.insertBefore(node, nextSibling?.parentNode === target ? nextSibling : null);
    }
  }
};
