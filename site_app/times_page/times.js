// Shows the button only after a select was changed. Without scripts it is always there.
// Fills in where the visitor came from, which the site stores in the tab, if the server does not know it.
{
  const form = document.currentScript.parentElement;
  const button = form.querySelector(":scope > .button");
  const isChanged = (select) => !select.options[select.selectedIndex].defaultSelected;
  const update = () => {
    button.hidden = ![...form.querySelectorAll("select")].some(isChanged);
  };
  const fillInAttribution = () => {
    const field = document.querySelector("form.times [name=attribution]");
    try {
      if (field && !field.value) {
        field.value = sessionStorage.attribution ?? "";
      }
    } catch {
      // the browser forbids storage, so nothing is stored
    }
  };
  update();
  form.addEventListener("change", update);
  addEventListener("pageshow", () => {
    update(); // the browser may have restored a choice
    fillInAttribution();
  });
}
