// Stands in for engine.io-client's list of transports: pages speak WebSocket only, and polling is weight without a use.
import { WS } from "../node_modules/engine.io-client/build/esm/transports/websocket.js";

export const transports = { websocket: WS };
