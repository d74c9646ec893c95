// Decides how a refused submission goes on if the refusal is about something that the visitor cannot see and correct.

const MAX_REPAIRS = 3;

/**
 * Returns null if the visitor can correct the refusal, else { step, needsNewKey, needsNewToken }. The step is "resend" with a new key or token,
 * "http" instead of the socket, or "fail".
 * @param {{ fields?: Record<string, string>, code?: string, message?: string }} refusal
 * @param {{ isVisible: (field: string) => boolean, repairs: number, byHttp: boolean }} attempt `repairs` counts those made so far
 */
export const repairOf = ({ fields = {}, code, message }, { isVisible, repairs, byHttp }) => {
  const names = Object.keys(fields);
  const needsNewKey = code === "key_reused" || "key" in fields; // another tab may have sent the key with different content
  const needsNewToken = code === "looks_automatic" || "token" in fields;
  const isSeen = names.length ? names.some((name) => !name || isVisible(name)) : message && !needsNewToken;
  if (isSeen && !needsNewKey) {
    return null;
  }
  const mayResend = (needsNewKey || needsNewToken) && repairs < MAX_REPAIRS;
  return { step: mayResend ? "resend" : byHttp ? "fail" : "http", needsNewKey, needsNewToken };
};
