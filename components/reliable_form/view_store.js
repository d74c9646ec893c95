// What components show and something apart from any of them changes: they subscribe to it, and are drawn again.
export class ViewStore {
  listeners = new Set();

  constructor(view) {
    this.view = view;
  }

  subscribe = (listener) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  snapshot = () => this.view;
  show(part) {
    this.view = { ...this.view, ...part };
    for (const listener of this.listeners) {
      listener();
    }
  }
}
