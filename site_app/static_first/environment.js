// Where the backend is: beside the pages, whatever host serves them, or where their export says.
import { backend } from "$/components/browser/backend";

const origin = backend || (typeof location === "undefined" ? "http://localhost" : location.origin);

export default { PING: `${origin}/ping`, EVENT: `${origin.replace(/^http/, "ws")}/_event`, TRANSPORT: "websocket" };
