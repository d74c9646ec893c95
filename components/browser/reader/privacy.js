/** Returns true if the visitor's browser asks not to be tracked. */
export const isPrivate = () => navigator.doNotTrack === "1" || navigator.globalPrivacyControl === true;
