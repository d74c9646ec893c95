// Tells the page that React has taken it over: what was held back can go on. Nothing to see.
import { useEffect } from "react";

export const Hydrated = () => {
  useEffect(() => {
    // Providers around us have their effects after ours; a click before them would be undone.
    const timer = setTimeout(() => {
      window.hydratedAt = performance.now();
      dispatchEvent(new Event("hydrated"));
    });
    return () => clearTimeout(timer);
  }, []);
  return null;
};
