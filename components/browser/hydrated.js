// Tells the boot script that React has taken the page over: what it held back can go on.
import { useEffect } from "react";

export const Hydrated = () => {
  useEffect(() => {
    // Providers around us have their effects after ours; a click before them, say on the theme, would be undone.
    const announce = () => setTimeout(() => dispatchEvent(new Event("hydrated")));
    const invokes = "commandForElement" in HTMLButtonElement.prototype && "closedBy" in HTMLDialogElement.prototype;
    if (invokes) announce();
    else import("$/components/browser/invokers").then(announce, announce);
  }, []);
  return null;
};
