// node relay.ts SOCKET PORT: forwards connections from a Unix socket to a port of its own host. Prints a line when it
// listens.
import { connect, createServer } from "node:net";

const [, , socket = "", port = ""] = process.argv;
createServer((near) => {
  const far = connect(Number(port), "127.0.0.1");
  near.pipe(far).pipe(near);
  near.on("error", () => far.destroy());
  far.on("error", () => near.destroy());
}).listen(socket, () => console.log("listens"));
