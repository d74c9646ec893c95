/** Resolves after some milliseconds; without an argument in a new task. */
export const sleep = (time = 0) => new Promise((resolve) => setTimeout(resolve, time));
