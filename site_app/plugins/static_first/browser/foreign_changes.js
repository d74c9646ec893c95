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

/** Notes from now on which nodes and texts are changed. Scripts of the page change only the children of its body before React runs. */
export const noteForeignChanges = () =>
  observer.observe(document.body, { subtree: true, childList: true, characterData: true, characterDataOldValue: true });

/** Undoes the noted changes, and notes no more. A translator then translates the restored texts again. */
export const undoForeignChanges = () => {
  note(observer.takeRecords());
  observer.disconnect();
  const { added, own } = sortNodes();
  const hadContent = ({ target, removedNodes }) => [...target.childNodes, ...removedNodes].some((node) => !added.has(node));
  const targets = new Set(changes.filter(hadContent).map(({ target }) => target));
  for (const { type, target, oldValue, addedNodes, removedNodes, nextSibling } of changes.splice(0).reverse()) {
    if (target === document.body || isAdded(target, { added, own })) {
      continue; // React leaves further children of the body alone, with all that was put into them
    }
    if (type === "characterData") {
      target.nodeValue = oldValue;
    }
    // React also leaves alone what a script has put into an empty element.
    if (!targets.has(target)) {
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

// Returns the nodes that others have added, and the page's own that they have removed or moved.
const sortNodes = () => {
  const [added, own] = [new Set(), new Set()];
  for (const { addedNodes, removedNodes } of changes) {
    for (const node of removedNodes) {
      if (!added.has(node)) {
        own.add(node);
      }
    }
    for (const node of addedNodes) {
      if (!own.has(node)) {
        added.add(node);
      }
    }
  }
  return { added, own };
};

// Returns true if the node was added or is inside such a node, but not if it belongs to a part of the page that was moved there.
const isAdded = (node, { added, own }) => {
  let ancestor = node;
  while (ancestor && !added.has(ancestor) && !own.has(ancestor)) {
    ancestor = ancestor.parentNode;
  }
  return added.has(ancestor);
};
