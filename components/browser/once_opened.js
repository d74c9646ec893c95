// The content of a dialog, fetched when the dialog first opens: until then a skeleton of its shape, and a way out if it fails.
import { Children, createElement, useEffect, useRef, useState } from "react";
import { afterPaint } from "$/components/browser/after_paint";

export const OnceOpened = ({ load, children }) => {
  const [skeleton, failure] = Children.toArray(children);
  const box = useRef(null), latest = useRef(load);
  latest.current = load;
  const [stage, setStage] = useState({});

  const begin = () => {
    setStage({ busy: true });
    Promise.all([latest.current(), window.wholeStyle?.()]).then(
      ([Content]) => setStage({ Content }),
      (error) => {
        dispatchEvent(new CustomEvent("preload-error", { detail: { error } }));
        setStage({ failed: true });
      },
    );
  };
  useEffect(() => {
    const dialog = box.current.closest("dialog");
    const look = () => {
      if (!dialog.open) return;
      observer.disconnect();
      afterPaint(begin);
    };
    const observer = new MutationObserver(look);
    observer.observe(dialog, { attributeFilter: ["open"] });
    look();
    return () => observer.disconnect();
  }, []);

  const again = (event) => event.target.closest("button") && begin();
  const { Content, failed, busy } = stage;
  const inside = Content ? createElement(Content) : failed ? createElement("div", { role: "alert", onClick: again }, failure) : skeleton;
  return createElement("div", { ref: box, "aria-busy": busy }, inside);
};
