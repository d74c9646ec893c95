// The content of a dialog, loaded when the dialog first opens. Shows a skeleton until then, and an alternative if the content fails to
// load or to render, because an error in React would otherwise remove the whole page.
import { Children, Component, startTransition, useEffect, useEffectEvent, useRef, useState } from "react";
import { afterPaint } from "$/components/browser/page";
import { PRELOAD_ERROR } from "$/components/browser/page_events";
import { clearReloadMark, reloadWithDialog } from "$/components/browser/reload";

class ErrorBoundary extends Component {
  state = {};
  static getDerivedStateFromError() {
    return { failed: true };
  }
  componentDidCatch() {
    this.props.onFailure();
  }
  render() {
    const { content: Content } = this.props;
    return this.state.failed ? null : <Content />;
  }
}

/**
 * Shows a skeleton until its content is loaded, or a message if that fails. `load` returns a promise of the component to show; the children
 * are the skeleton and the message.
 */
export const LazyContent = ({ load, children }) => {
  const [skeleton, failure] = Children.toArray(children);
  const box = useRef(null);
  const { Content, hasFailed, isBusy, retry, fail } = useContent(load, box);
  const retryFromTitle = () => {
    box.current.closest("dialog").querySelector("h2").focus(); // the pressed button is about to be unmounted
    retry();
  };
  let shownContent = skeleton;
  if (Content) {
    shownContent = <ErrorBoundary content={Content} onFailure={fail} />;
  } else if (hasFailed) {
    shownContent = (
      <div role="alert" onClick={({ target }) => target.closest("button") && retryFromTitle()}>
        {failure}
      </div>
    );
  }
  return (
    <div ref={box} aria-busy={isBusy}>
      {shownContent}
    </div>
  );
};

// Loads the content when the dialog around the box opens.
const useContent = (load, box) => {
  const [stage, setStage] = useState(
    /** @type {{ Content?: import("react").ComponentType, hasFailed?: boolean, isBusy?: boolean }} */ ({}),
  );
  const fail = () => setStage({ hasFailed: true });
  const startLoading = (isRetry = false) => {
    const name = box.current?.closest("dialog").dataset.name;
    setStage({ isBusy: true });
    Promise.all([load(), window.wholeStyle?.()]).then(
      ([Content]) => {
        clearReloadMark(name);
        startTransition(() => setStage({ Content })); // renders in slices, so that clicks are handled meanwhile
      },
      async (error) => {
        dispatchEvent(new CustomEvent(PRELOAD_ERROR, { detail: { error } }));
        if (!isRetry || !(await reloadWithDialog(name))) {
          fail();
        }
      },
    );
  };

  const loadOnOpening = useEffectEvent(() => startLoading());
  useEffect(() => {
    const dialog = box.current.closest("dialog");
    const loadIfOpen = () => {
      if (!dialog.open) {
        return;
      }
      observer.disconnect();
      afterPaint(() => loadOnOpening());
    };
    const observer = new MutationObserver(loadIfOpen);
    observer.observe(dialog, { attributeFilter: ["open"] });
    loadIfOpen();
    return () => observer.disconnect();
  }, [box]);
  return { ...stage, retry: () => startLoading(true), fail };
};
