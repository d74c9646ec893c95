// A field for files, dropped or chosen. They are uploaded when the form is sent; each then shows its progress, and can be stopped, retried
// or removed. If the provider takes no files, the field is not shown.
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useField } from "$/components/reliable_form/context";
import { takesFiles } from "$/components/reliable_form/provider_call";
import { FieldError, Label } from "$/components/ui/field";

const filled = (text, values) => text.replace(/\{(\w+)\}/g, (placeholder, name) => values[name] ?? placeholder);
const MEGABYTE = 1024 * 1024;

/** `types` are file endings; at most `maxFiles` files of `maxBytes` each. */
export const FileDrop = ({ name, label, optional, help, types, maxFiles, maxBytes, words, icon }) => {
  const { form, id, error, aria } = useField(name, true);
  const [problems, setProblems] = useState([]);
  const input = useRef(null);
  const isOffered = useFileSupport(form);
  const { files, store } = form;
  if (!isOffered && !files.length) {
    return null;
  }

  const add = (pickedFiles) => {
    const room = maxFiles - files.filter((entry) => entry.stage !== "missing").length;
    const sorted = sortFiles(pickedFiles, { types, maxBytes, room, words });
    setProblems(sorted.problems);
    if (sorted.accepted.length) {
      store.files.add(sorted.accepted);
    }
    input.current.value = "";
  };

  return (
    <div className="field" data-wrong={error ? "" : undefined}>
      <p className="field-label" id={`${id}-label`}>
        <Label {...{ label, optional }} />
      </p>
      <DropArea onFiles={add}>
        <svg viewBox="0 0 24 24" width="28" height="28" aria-hidden="true">
          <path d={icon} />
        </svg>
        <p>
          <span className="drop-here">{words.drop} </span>
          <FileInput {...{ id, input, label, types, words, aria }} onFiles={add} />
        </p>
        <p className="field-help" id={`${id}-help`}>
          {help}
        </p>
      </DropArea>
      <Announcements {...{ problems, files, words }} />
      {files.length > 0 && (
        <ul className="files" aria-label={words.list}>
          {files.map((file) => (
            <FileRow key={file.key} {...{ file, words, store, input }} />
          ))}
        </ul>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
};

// Returns false once the provider has said that it takes no files.
const useFileSupport = (form) => {
  const [isSupported, setIsSupported] = useState(true);
  const requestSupport = useEffectEvent(() => takesFiles(form.getDelivery()));
  useEffect(() => {
    requestSupport().then(setIsSupported);
  }, []);
  return isSupported;
};

// Takes dropped files, and shows that it would while they are dragged over it.
const DropArea = ({ onFiles, children }) => {
  const [isOver, setIsOver] = useState(false);
  const onDrag = (event) => {
    if (!event.dataTransfer?.types.includes("Files")) {
      return;
    }
    event.preventDefault();
    setIsOver(event.type === "dragover");
    if (event.type === "drop") {
      onFiles([...event.dataTransfer.files]);
    }
  };
  return (
    <div className="drop" data-over={isOver || undefined} onDragOver={onDrag} onDragLeave={onDrag} onDrop={onDrag}>
      {children}
    </div>
  );
};

const FileInput = ({ id, input, label, types, words, aria, onFiles }) => (
  <label className="drop-choose plain-link">
    <span className="sr-only">{filled(words.labelled, { label, value: "" })}</span>
    {words.choose}
    <input
      ref={input}
      id={id}
      className="sr-only"
      type="file"
      multiple
      accept={types.map((ending) => `.${ending}`).join()}
      {...aria}
      onChange={({ target }) => onFiles([...target.files])}
    />
  </label>
);

// Problems, and for screen readers each file with its status; only the lines that change are read out.
const Announcements = ({ problems, files, words }) => (
  <div role="status" aria-atomic="false">
    {problems.map((text, index) => (
      <p className="field-error" key={index}>
        <span>{text}</span>
      </p>
    ))}
    {files.map((file) => (
      <p className="sr-only" key={file.key}>
        {filled(words.labelled, { label: file.name, value: statusOf(file, words) })}
      </p>
    ))}
  </div>
);

const statusOf = ({ stage, problem }, words) =>
  ({ waiting: "", sent: words.sent, missing: words.missing, failed: problem, sending: "" })[stage];

// Returns the files that fit the rules, and a sentence for each other one.
const sortFiles = (pickedFiles, { types, maxBytes, room, words }) => {
  const accepted = [];
  const problems = [];
  const problemOf = (file) => {
    if (!types.includes(file.name.split(".").pop().toLowerCase())) {
      return words.kind;
    }
    if (file.size > maxBytes) {
      return words.large;
    }
    if (!file.size) {
      return words.empty;
    }
    return accepted.length >= room ? words.many : "";
  };
  for (const file of pickedFiles) {
    const problem = problemOf(file);
    if (problem) {
      problems.push(filled(problem, { name: file.name }));
    } else {
      accepted.push(file);
    }
  }
  return { accepted, problems };
};

const FileRow = ({ file, words, store, input }) => {
  const { files } = store;
  const { stage, name, size } = file;
  const status = statusOf(file, words);
  const runAndKeepFocus = (run) => () => {
    input.current.focus(); // the pressed button is about to be unmounted
    run();
  };
  const button = (text, run) => (
    <button
      type="button"
      className="button-text"
      onClick={runAndKeepFocus(run)}
      aria-label={filled(words.labelled, { label: text, value: name })}
    >
      {text}
    </button>
  );
  return (
    <li className="file" data-stage={stage}>
      <span className="file-name">{name}</span>
      <span className="file-size">{sizeOf(size, words.tag)}</span>
      <span className="file-actions">
        {stage === "sending" && button(words.cancel, () => files.cancel(file))}
        {stage === "failed" && button(words.again, () => files.sendOne(file))}
        {stage === "missing" && button(words.addAgain, () => input.current.click())}
        {stage !== "sending" && button(words.remove, () => files.remove(file))}
      </span>
      {stage === "sending" && <progress className="file-progress" max="1" value={file.progress} aria-label={name} />}
      {status && <span className="file-note">{status}</span>}
    </li>
  );
};

const sizeOf = (size, tag) => {
  const [number, unit] = size < MEGABYTE ? [Math.ceil(size / 1024), "kilobyte"] : [size / MEGABYTE, "megabyte"];
  return new Intl.NumberFormat(tag, { style: "unit", unit, maximumFractionDigits: 1 }).format(number);
};
