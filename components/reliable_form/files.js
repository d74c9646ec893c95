// The files of a form. They stay on the visitor's device until the form is sent; then each is uploaded before the form.
// A file is {key, name, size, stage, progress, problem}; the stage is waiting, sending, sent, failed, or missing after a reload. The key is
// unique while the page is open, because two files may have the same name and size.
import { upload } from "$/components/reliable_form/provider_call";
import { sleep } from "$/components/reliable_form/sleep";

const PAUSES_MS = [0, 800, 2000]; // before each try
let lastKey = 0;

/** The list of a form's files; `onChange` is called after each change. */
export class Files {
  constructor(stored = [], onChange) {
    this.list = stored.map((entry) => ({ ...entry, key: ++lastKey, stage: entry.id ? "sent" : "missing" }));
    this.onChange = onChange;
  }

  // Returns what a draft keeps of the files.
  stored() {
    return this.list.map(({ name, size, id }) => ({ name, size, id }));
  }
  ids() {
    return this.list.map((entry) => entry.id);
  }
  setList(list) {
    this.list = [...list];
    this.onChange();
  }
  update(file, changes) {
    Object.assign(file, changes);
    this.setList(this.list);
  }

  // A file with the same name replaces one that was lost in a reload.
  add(picked) {
    for (const file of picked) {
      const missing = this.list.find((entry) => entry.stage === "missing" && entry.name === file.name);
      const fresh = { name: file.name, size: file.size, stage: "waiting", file };
      if (missing) {
        Object.assign(missing, fresh);
      } else {
        this.list.push({ ...fresh, key: ++lastKey });
      }
    }
    this.setList(this.list);
  }

  remove(file) {
    file.transfer?.cancel();
    this.setList(this.list.filter((entry) => entry !== file));
  }
  cancel(file) {
    file.isCancelled = true; // between two tries no transfer is running
    file.transfer?.cancel();
  }
  clear() {
    for (const file of this.list) {
      file.transfer?.cancel();
    }
    this.list = [];
  }

  // Restores the files that clear removed; those that were not uploaded by then are uploaded with the next attempt.
  restore(list) {
    const restored = list.map(({ file, ...entry }) => {
      delete entry.uploading;
      const stage = entry.id ? "sent" : file ? "waiting" : "missing";
      return { ...entry, file, stage, problem: "" };
    });
    this.setList([...restored, ...this.list]);
  }

  // Called when the server no longer has the files: those still in memory are uploaded again with the next attempt.
  markLost() {
    for (const file of this.list) {
      Object.assign(file, { id: undefined, stage: file.file ? "waiting" : "missing" });
    }
    this.setList(this.list);
  }

  /**
   * Uploads all files; returns true if all succeeded. A failed file contains its problem.
   * @param {import("./submission.js").Delivery} delivery
   */
  async send(delivery) {
    this.delivery = delivery;
    for (const file of this.list.filter((entry) => entry.stage !== "sent")) {
      await this.sendOne(file);
    }
    return this.list.every((entry) => entry.stage === "sent");
  }

  // Uploads a file; a second call, such as that of the form's button while "Again" is at work, joins the upload in progress.
  sendOne(file) {
    file.uploading ??= this.#upload(file).finally(() => {
      file.uploading = undefined;
    });
    return file.uploading;
  }

  async #upload(file) {
    let reply = {};
    file.isCancelled = false;
    for (const pause of PAUSES_MS) {
      await sleep(pause);
      // The visitor removed the file meanwhile.
      if (!this.list.includes(file)) {
        return undefined;
      }
      if (file.isCancelled) {
        reply = { cancelled: true };
        break;
      }
      if (!file.file) {
        return this.update(file, { stage: "missing" });
      }
      file.transfer = upload(this.delivery, file.file, (progress) => this.update(file, { progress }));
      this.update(file, { stage: "sending", progress: 0, problem: "" });
      reply = await file.transfer;
      if (!this.list.includes(file)) {
        return undefined;
      }
      // An empty reply means that there was no response: try again.
      if (Object.keys(reply).length) {
        break;
      }
    }
    const { id, message, cancelled } = reply;
    const { words } = this.delivery;
    if (id) {
      return this.update(file, { stage: "sent", id });
    }
    return this.update(file, { stage: "failed", problem: cancelled ? words.cancelled : message || words.notUploaded });
  }
}
