// The content of a dialog, loaded when the dialog first opens. Shows a skeleton until then, and an alternative if the content fails to
// load or to render, because an error in React would otherwise remove the whole page.
import { Children, Component, createElement, startTransition, useEffect, useRef, useState } from "react";
import { afterPaint } from "$/components/browser/page_events";
import { hasCome, loadDialogAnew } from "$/components/browser/reload";

class Contained extends Component {
  state = {};
  static getDerivedStateFromError() {
    return { failed: true };
  }
  componentDidCatch() {
    this.props.onFailure();
  }
  render() {
    return this.state.failed ? null : createElement(this.props.content);
  }
}

export const LazyContent = ({ load, children }) => {
  const [skeleton, failure] = Children.toArray(children);
  const box = useRef(null);
  const latest = useRef(load);
  latest.current = load;
  const [stage, setStage] = useState(
    /** @type {{ Content?: import("react").ComponentType, failed?: boolean, busy?: boolean }} */ ({}),
  );
  const fail = () => setStage({ failed: true });

  const begin = (isAgain = false) => {
    const name = box.current?.closest("dialog").dataset.name;
    setStage({ busy: true });
    Promise.all([latest.current(), window.wholeStyle?.()]).then(
      ([Content]) => {
        hasCome(name);
        startTransition(() => setStage({ Content })); // renders in slices, so that clicks are handled meanwhile
      },
      async (error) => {
        dispatchEvent(new CustomEvent("preload-error", { detail: { error } }));
        if (!isAgain || !(await loadDialogAnew(name))) {
          fail();
        }
      },
    );
  };
  useEffect(() => {
    const dialog = box.current.closest("dialog");
    const look = () => {
      if (!dialog.open) {
        return;
      }
      observer.disconnect();
      afterPaint(() => begin());
    };
    const observer = new MutationObserver(look);
    observer.observe(dialog, { attributeFilter: ["open"] });
    look();
    return () => observer.disconnect();
  }, []);

  const again = (event) => event.target.closest("button") && begin(true);
  const { Content, failed, busy } = stage;
  let inside = skeleton;
  if (Content) {
    inside = createElement(Contained, { content: Content, onFailure: fail });
  } else if (failed) {
    inside = createElement("div", { role: "alert", onClick: again }, failure);
  }
  return createElement("div", { "ref": box, "aria-busy": busy }, inside);
};
