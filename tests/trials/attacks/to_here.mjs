// Loaded into node by --import: redirects every connection to this machine. OBSERVED_PORTS, as 8080,8443, replaces the ports 80 and 443.
import { Socket } from "node:net";

const [http, https] = process.env.OBSERVED_PORTS.split(",").map(Number);
const { connect } = Socket.prototype;

Socket.prototype.connect = function (...parameters) {
  const options = Array.isArray(parameters[0]) ? parameters[0][0] : parameters[0]; // net.connect hands its arguments over normalised
  options.host = "127.0.0.1";
  options.port = Number(options.port) === 443 ? https : http;
  return connect.apply(this, parameters);
};
