// True from the visitor's first touch of the page on, by whatever means; the boot script hears it before React is there.
import { startTransition, useEffect, useState } from "react";

export const useTouched = () => {
  const [touched, setTouched] = useState(false);
  useEffect(() => void Promise.resolve(window.touched).then(() => startTransition(() => setTouched(true))), []);
  return touched;
};
