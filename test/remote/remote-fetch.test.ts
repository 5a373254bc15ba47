import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { RemoteFetch, type ReadToken } from "../../src/remote/remote-fetch.ts";
import { parseServerAddress } from "../../src/remote/server-address.ts";
import { certificate } from "../helpers/certificate.ts";
import { needs } from "../helpers/needs.ts";
import { tokenOf } from "./serve-remote.ts";

/** A server that answers with `respond`, and the requests that reached it. */
async function serve(respond: RequestListener, readToken: ReadToken = tokenOf("secret")) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a TCP port
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const remote = new RemoteFetch(parseServerAddress(url), readToken);
  onTestFinished(async () => {
    await remote.close();
    server.close();
  });
  return { remote, url, requests };
}

test("each request has the token, and the text of the caller", async () => {
  const { remote, url, requests } = await serve((request, response) => void request.pipe(response));
  const response = await remote.send(`${url}/mcp`, { method: "POST", body: "Grüße" });
  expect(await response.text()).toBe("Grüße");
  expect(requests[0]?.headers.authorization).toBe("Bearer secret");
});

test("a redirect is not followed: the token stays with its server", async () => {
  const { remote, url, requests } = await serve((_request, response) => {
    response.writeHead(307, { Location: "http://127.0.0.1:1/elsewhere" }).end();
  });
  await expect(remote.send(`${url}/mcp`)).rejects.toMatchObject({
    code: "REMOTE_UNAVAILABLE",
    message: expect.stringContaining("redirect"),
  });
  expect(requests).toHaveLength(1);
});

test("a check of the server's health carries no token, and any answer is one", async () => {
  const { remote, requests } = await serve((_request, response) => {
    response.writeHead(404).end();
  });
  await remote.probe(new AbortController().signal);
  expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ["/healthz", undefined],
  ]);
});

test("the token is read once, and again after the server refused it", async () => {
  const secrets = ["old", "new"];
  let reads = 0;
  const { remote, url } = await serve(
    ({ headers }, response) => {
      response.writeHead(headers.authorization === "Bearer old" ? 401 : 200).end();
    },
    () => Promise.resolve({ secret: secrets[reads++] ?? "new", source: "login" }),
  );
  await expect(remote.send(url)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  expect((await remote.send(url)).status).toBe(200);
  expect((await remote.send(url)).status).toBe(200);
  expect(reads).toBe(2);
});

needs(["openssl"], () => {
  test("the certificate of an https server is verified", async () => {
    const server = createTlsServer(certificate(), (_request, response) => void response.end());
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a TCP port
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const remote = new RemoteFetch(parseServerAddress(url), tokenOf("secret"));
    onTestFinished(() => remote.close());
    await expect(remote.send(url)).rejects.toMatchObject({
      code: "REMOTE_UNAVAILABLE",
      message: expect.stringMatching(/SELF_SIGNED|CERT/),
    });
  });
});
