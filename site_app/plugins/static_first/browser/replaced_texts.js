// Keeps React working on a page that a translator changes: it puts its own nodes in the place of texts. When React then removes such a text,
// or inserts before it, the browser would throw, and React would remove the whole page.

const standIns = new WeakMap(); // a text of React's -> the node that has taken its place
const MAX_RESTORATIONS = 50; // of a text before React has taken over: a slow phone takes seconds, and an extension may replace it again at once
const restorations = new WeakMap();
const originals = new WeakMap(); // a text that was changed in its place -> its words

// React marks its nodes. Those of a page that it has not yet taken over have no mark either, but they are not added.
const isForeign = (node) => !Object.keys(node).some((key) => key.startsWith("__react"));

// Puts the text back when React changes it, so that the new words are seen; the translator then translates them.
const restoreOnChange = (text, standIn) => {
  standIns.set(text, standIn);
  Object.defineProperty(text, "nodeValue", {
    configurable: true,
    get: () => text.textContent,
    set(words) {
      delete text.nodeValue;
      text.textContent = words;
      standIn.replaceWith(text);
    },
  });
};

// Puts the words back that a translator has changed in their place, until React has found the text.
const restoreWords = (text, oldValue) => {
  const count = restorations.get(text) ?? 0;
  if (window.hydratedAt || count === MAX_RESTORATIONS || !isForeign(text) || !isForeign(text.parentNode ?? text)) {
    return;
  }
  originals.set(text, originals.get(text) ?? oldValue);
  if (text.nodeValue !== originals.get(text)) {
    restorations.set(text, count + 1);
    text.nodeValue = originals.get(text);
  }
};

const onChanges = (changes) => {
  for (const { type, target, oldValue } of changes) {
    if (type === "characterData") {
      restoreWords(target, oldValue);
    }
  }
  const foreign = new Set(changes.flatMap(({ addedNodes }) => [...addedNodes].filter(isForeign)));
  if (!foreign.size) {
    return;
  }
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of changes) {
    const standIn = [...addedNodes, previousSibling, nextSibling].find((node) => foreign.has(node));
    for (const node of standIn ? removedNodes : []) {
      if (node.nodeType !== Node.TEXT_NODE || node.isConnected) {
        continue;
      }
      const count = restorations.get(node) ?? 0;
      if (window.hydratedAt || count === MAX_RESTORATIONS) {
        restoreOnChange(node, standIn);
      } else {
        restorations.set(node, count + 1);
        standIn.replaceWith(node); // React is about to look for it
      }
    }
  }
};

// Returns the child of `parent` that is, contains or replaces the node; null if there is none any more.
const placeIn = (parent, node) => {
  let place = node.parentNode === parent ? node : (standIns.get(node) ?? node);
  while (place && place.parentNode !== parent) {
    place = place.parentNode;
  }
  return place;
};

/** Lets React find its texts as they were, or what stands in their place, from now on. Call it before React starts. */
export const findReplacedTexts = () => {
  const { insertBefore, removeChild } = Node.prototype;
  Node.prototype.removeChild = function (child) {
    const place = placeIn(this, child);
    if (place) {
      removeChild.call(this, place);
    }
    return child;
  };
  Node.prototype.insertBefore = function (node, next) {
    insertBefore.call(this, node, next && placeIn(this, next));
    return node;
  };
  const observed = { subtree: true, childList: true, characterData: true, characterDataOldValue: true };
  new MutationObserver(onChanges).observe(document.body, observed);
};
