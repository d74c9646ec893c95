// Given to node by --import: whatever it connects to is here. OBSERVED_PORTS says where ports 80 and 443 are, as 8080,8443.
import { Socket } from "node:net";

const [http, https] = process.env.OBSERVED_PORTS.split(",").map(Number);
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...given) {
  const options = Array.isArray(given[0]) ? given[0][0] : given[0]; // net.connect hands its arguments over normalised
  options.host = "127.0.0.1";
  options.port = Number(options.port) === 443 ? https : http;
  return connect.apply(this, given);
};
