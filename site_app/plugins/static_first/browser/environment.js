// Where the backend is: beside the pages, whatever host serves them, or where their export says.
const written = typeof document === "undefined" ? undefined : document.querySelector("script[data-backend]")?.dataset.backend;
const origin = written || (typeof location === "undefined" ? "http://localhost" : location.origin);

export default { PING: `${origin}/ping`, EVENT: `${origin.replace(/^http/, "ws")}/_event`, TRANSPORT: "websocket" };
