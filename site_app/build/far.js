// Far sections wait with their layout until React has started (see base.css), unless a place in the page is asked for: their heights are
// guesses until then. components/browser/resting.js ends it.
if (!location.hash && performance.getEntriesByType("navigation")[0]?.type == "navigate") document.documentElement.dataset.fresh = "";
