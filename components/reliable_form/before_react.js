// What a form needs of plain script, as long as React is not there.

/**
 * Whoever typed before the page was loaded anew has shown already what they mean to do: a form of this page shows it again, and what was
 * being sent goes on.
 */
export const hasDraft = () => {
  const shown = new Set([...document.querySelectorAll("form[data-draft]")].map((form) => `draft:${form.dataset.draft}`));
  try {
    return Object.entries(sessionStorage).some(
      ([name, text]) => shown.has(name) || (name.startsWith("draft:") && JSON.parse(text).sending),
    );
  } catch {
    return false;
  }
};

/** The dialog whose form was being sent, unless that form is in this page as well. */
export const sendingDialog = () => {
  try {
    for (const [name, text] of Object.entries(sessionStorage)) {
      const { sending, dialog } = name.startsWith("draft:") ? JSON.parse(text) : {};
      if (sending && dialog && !document.querySelector(`form[data-draft="${name.slice(6)}"]`)) {
        return dialog;
      }
    }
  } catch {
    // storage is forbidden: nothing was kept
  }
};

/**
 * What is typed before React is there is not lost with the page. Answers an `input` event. Only the field that was typed into is kept:
 * the others stand empty until React restores them.
 */
export const keepTyped = async ({ target }) => {
  const { form, name } = target;
  if (window.hydratedAt || !form?.dataset.draft) {
    return;
  }
  const { keepDraft, readDraft, readForm } = await import("$/components/reliable_form/draft");
  const draft = readDraft(form.dataset.draft);
  keepDraft(form.dataset.draft, { ...draft, fields: { ...draft.fields, [name]: readForm(form)[name] } }); // one that was emptied goes
};

/** The same for what was typed before the page's script was there. */
export const keepTypedBefore = () => {
  for (const field of document.querySelectorAll("form[data-draft] :is(input, textarea)")) {
    if (field.value !== field.defaultValue) {
      keepTyped({ target: field });
    }
  }
};
