// All but the first section wait with their layout until that is painted, far ones until React has started (see base.css), unless a place in
// the page is asked for: their heights are guesses until then. paint.js ends the first wait, components/browser/resting.js the second.
if (!location.hash && performance.getEntriesByType("navigation")[0]?.type == "navigate")
  document.documentElement.dataset.fresh = document.documentElement.dataset.first = "";
