/** Resolves after some milliseconds, without a time in a new task. */
export const sleep = (time = 0) => new Promise((resolve) => setTimeout(resolve, time));
