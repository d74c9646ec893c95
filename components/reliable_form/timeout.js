/** Returns a signal that ends a fetch after some milliseconds. Safari before 16 and Chrome before 103 have no AbortSignal.timeout. */
export const timeoutSignal = (milliseconds) => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(new DOMException("no response in time", "TimeoutError")), milliseconds);
  return controller.signal;
};
