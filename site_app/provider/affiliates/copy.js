// Shows the buttons that copy a field's text. Without this script, or where a browser denies it, the text can be selected.
if (navigator.clipboard) {
  for (const button of document.querySelectorAll("[data-copies]")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const field = document.getElementById(button.dataset.copies);
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        button.nextElementSibling.textContent = button.dataset.done;
      } catch {
        // the browser denies it; the field's text is selected
      }
    });
  }
}
