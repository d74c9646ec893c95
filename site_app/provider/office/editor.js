// The editor of a text: a bar that writes Markdown, and a preview that follows the typing. Everything works without this script: the
// form saves, its button shows the preview, and pictures are added at the end of the text.
const PAUSE_MS = 200;
const form = document.querySelector("[data-editor]");
const text = form?.querySelector("textarea[name=text]");
const frame = document.querySelector("iframe[name=preview]");
const status = document.querySelector("[data-status]");
const previewButton = form?.querySelector("[data-preview]");
let isChanged = false;

function createButton(words, label, onClick) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = "button button-quiet small";
  element.textContent = words;
  if (label) {
    element.setAttribute("aria-label", label);
  }
  element.addEventListener("click", onClick);
  return element;
}

// Replaces the selection as if it was typed, so that the browser's undo works.
function insert(words, from, to) {
  text.focus();
  text.setSelectionRange(from, to);
  if (!document.execCommand("insertText", false, words)) {
    text.setRangeText(words, from, to, "end");
    text.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

// Returns the selection without spaces at its ends: a double click selects one on Windows, and Markdown shows the stars of "**word **".
function selectedWords() {
  const { selectionStart: start, selectionEnd: end } = text;
  const selected = text.value.slice(start, end);
  const words = selected.trim();
  const from = words ? start + selected.indexOf(words) : start;
  return { words, from, to: words ? from + words.length : end };
}

function surround(mark, sample) {
  const { words, from, to } = selectedWords();
  const marked = words || sample;
  insert(`${mark}${marked}${mark}`, from, to);
  text.setSelectionRange(from + mark.length, from + mark.length + marked.length);
}

// The beginning of the address is selected, so that a pasted address replaces it.
function insertLink() {
  const { words, from, to } = selectedWords();
  const linked = words || "the words of the link";
  insert(`[${linked}](https://)`, from, to);
  const start = from + linked.length + "[](".length;
  text.setSelectionRange(start, start + "https://".length);
}

function beginLines(mark) {
  const from = text.value.lastIndexOf("\n", text.selectionStart - 1) + 1;
  const lines = text.value.slice(from, text.selectionEnd).split("\n");
  insert(lines.map((line) => mark + line).join("\n"), from, text.selectionEnd);
}

function fillBar() {
  const bar = document.querySelector("[data-bar]");
  bar.append(
    createButton("Bold", "", () => surround("**", "bold")),
    createButton("Italic", "", () => surround("*", "italic")),
    createButton("Link", "", insertLink),
    createButton("Heading", "", () => beginLines("## ")),
    createButton("List", "", () => beginLines("- ")),
    createButton("Picture", "Picture: choose its file", () => form.querySelector("[name=upload]").focus()),
  );
  bar.setAttribute("role", "toolbar");
  bar.setAttribute("aria-label", "Markdown");
  bar.hidden = false;
}

// Stores the cursor's place when it leaves the text, because the picture goes there. The server counts an emoji as one character.
function rememberPlace() {
  text.addEventListener("blur", () => {
    form.elements.place.value = String([...text.value.slice(0, text.selectionStart)].length);
  });
}

function previewDocument() {
  return frame.contentDocument?.querySelector("main") ? frame.contentDocument : null;
}

function showPreview(html) {
  const main = html.slice(html.indexOf("<main"), html.lastIndexOf("</main>"));
  const parsed = new DOMParser().parseFromString(main, "text/html");
  const problem = parsed.querySelector("[data-broken]");
  status.textContent = problem ? problem.textContent : "";
  if (!problem) {
    previewDocument()?.querySelector("main").replaceWith(parsed.querySelector("main"));
  }
}

let isLoading = false;
let isStale = false;
async function refresh() {
  if (isLoading) {
    isStale = true;
    return;
  }
  isLoading = true;
  try {
    const payload = new FormData(form);
    payload.delete("upload");
    const reply = await fetch(previewButton.formAction, { method: "POST", body: payload });
    if (reply.ok && !reply.redirected) {
      showPreview(await reply.text());
    } else {
      status.textContent = reply.status === 401 ? "Your session has ended. Save, and sign in again: the text is kept." : "";
    }
  } catch {
    status.textContent = "No connection: the preview is out of date.";
  } finally {
    isLoading = false;
  }
  if (isStale) {
    isStale = false;
    void refresh();
  }
}

function startLivePreview() {
  let pause = 0;
  form.addEventListener("input", () => {
    isChanged = true;
    clearTimeout(pause);
    pause = setTimeout(refresh, PAUSE_MS);
  });
  form.addEventListener("submit", (event) => {
    if (event.submitter !== previewButton) {
      isChanged = false;
    }
  });
  addEventListener("beforeunload", (event) => {
    if (isChanged) {
      event.preventDefault();
    }
  });
}

function fillViews() {
  const views = document.querySelector("[data-views]");
  const previewRoot = () => previewDocument()?.documentElement;
  const phone = createButton("Phone", "", () => setPressed(phone, frame.classList.toggle("phone")));
  const dark = createButton("Dark", "", () => setPressed(dark, previewRoot()?.classList.toggle("dark") ?? false));
  const setPressed = (toggle, isOn) => toggle.setAttribute("aria-pressed", String(isOn));
  setPressed(phone, false);
  setPressed(dark, false);
  views.append(phone, dark);
  views.hidden = false;
  frame.addEventListener("load", () => previewRoot()?.classList.toggle("dark", dark.getAttribute("aria-pressed") === "true"));
}

if (frame) {
  fillViews();
}
if (previewButton) {
  fillBar();
  rememberPlace();
  startLivePreview();
}
