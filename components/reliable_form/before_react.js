// Form functions for the reader scripts, until React runs.
import { storedDrafts } from "$/components/reliable_form/stored_drafts";

const isOnPage = ({ form }) => document.querySelector(`form[data-draft="${form}"]`);

/**
 * Returns true if a form of this page has a draft, or any form was being sent: a visitor who typed before a reload needs React at once, so
 * that the draft is restored and the sending continues.
 */
export const hasDraft = () => storedDrafts().some((draft) => draft.sending || isOnPage(draft));

/** Returns the name of the dialog whose form was being sent, unless that form is also on this page. */
export const sendingDialog = () => storedDrafts().find((draft) => draft.sending && draft.dialog && !isOnPage(draft))?.dialog;

/**
 * Handles `input` events before React runs, so that typed text survives a reload. Stores only the field of the event, because the other
 * fields are empty until React restores them.
 */
export const storeTyped = async ({ target }) => {
  const { form, name } = target;
  if (window.hydratedAt || !form?.dataset.draft) {
    return;
  }
  const { readDraft, readForm, saveDraft } = await import("$/components/reliable_form/draft");
  const draft = readDraft(form.dataset.draft);
  saveDraft(form.dataset.draft, { ...draft, fields: { ...draft.fields, [name]: readForm(form)[name] } }); // removes an emptied field
};

/** Stores fields that were typed into before the page's script ran. */
export const storeTypedBefore = () => {
  for (const field of document.querySelectorAll("form[data-draft] :is(input, textarea)")) {
    if (field.value !== field.defaultValue) {
      storeTyped({ target: field });
    }
  }
};
