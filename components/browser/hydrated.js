// Tells the boot script that React has taken the page over: what it held back can go on. Stands last, after all who listen.
import { useEffect } from "react";

export const Hydrated = () => {
  useEffect(() => {
    if (!("commandForElement" in HTMLButtonElement.prototype && "closedBy" in HTMLDialogElement.prototype)) {
      import("$/components/browser/invokers").then(announce, announce);
    } else announce();
  }, []);
  return null;
};

const announce = () => dispatchEvent(new Event("hydrated"));
