// A store for view state that changes outside of components: they subscribe to it and render again after each change.
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
