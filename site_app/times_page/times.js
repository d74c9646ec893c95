// Shows the button only after a select was changed. Without scripts it is always there.
{
  const form = document.currentScript.parentElement;
  const button = form.querySelector(":scope > .button");
  const isChanged = (select) => !select.options[select.selectedIndex].defaultSelected;
  const update = () => {
    button.hidden = ![...form.querySelectorAll("select")].some(isChanged);
  };
  update();
  form.addEventListener("change", update);
  addEventListener("pageshow", update); // the browser may have restored a choice
}
