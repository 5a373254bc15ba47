// The suites cannot send a header, and the server accepts no request without a token. This proxy between the two adds
// one.
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";

export interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Forwards everything to the server at `target`, with the token if the client has sent none. */
export async function startAuthProxy(target: string, token: string): Promise<Listening> {
  const server = new URL(target);
  const proxy = createServer((request, response) => {
    const { port } = addressOf(proxy);
    const own = [`127.0.0.1:${port}`, `localhost:${port}`];
    const { host, origin, authorization = `Bearer ${token}` } = request.headers;
    const headers = { ...request.headers, authorization };
    // A header that names the proxy would name the server without a proxy. Any other name is the suite's probe for DNS
    // rebinding, and passes unchanged.
    if (host !== undefined && own.includes(host)) headers.host = server.host;
    if (origin !== undefined && own.some((name) => origin === `http://${name}`)) {
      headers.origin = server.origin;
    }
    const { hostname, port: serverPort } = server;
    const { method, url: path } = request;
    const forwarded = send({ hostname, port: serverPort, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on("error", () => response.destroy());
    request.pipe(forwarded);
    // A client that closes an event stream cancels its request.
    response.on("close", () => forwarded.destroy());
  });
  return listen(proxy);
}

/** On a free port of this machine. */
export async function listen(server: ReturnType<typeof createServer>): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${addressOf(server).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function addressOf(server: ReturnType<typeof createServer>): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("it does not listen");
  return address;
}
