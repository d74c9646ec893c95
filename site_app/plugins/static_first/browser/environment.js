// The addresses of the backend: the origin of the page, or the address that a static export has written into it.
const exportedBackend =
  typeof document === "undefined" ? undefined : document.querySelector("script[data-backend]")?.dataset.backend;
const origin = exportedBackend || (typeof location === "undefined" ? "http://localhost" : location.origin);

export default { PING: `${origin}/ping`, EVENT: `${origin.replace(/^http/, "ws")}/_event`, TRANSPORT: "websocket" };
