// Where the backend is: beside the pages, whatever host serves them.
const origin = typeof location === "undefined" ? "http://localhost" : location.origin;

export default { PING: `${origin}/ping`, EVENT: `${origin.replace(/^http/, "ws")}/_event`, TRANSPORT: "websocket" };
