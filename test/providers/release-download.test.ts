import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Server } from "node:net";

import { expect, onTestFinished, test } from "vitest";

import { releaseDownload } from "../../src/providers/release-download.ts";
import { certificate } from "../helpers/certificate.ts";
import { freePort } from "../helpers/free-port.ts";
import { needs } from "../helpers/needs.ts";

const NEVER = new AbortController().signal;

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  return (server.address() as AddressInfo).port;
}

async function serve(answer: Answer): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(answer))}`;
}

async function download(address: string, file: string): Promise<string> {
  const source = releaseDownload(address, NEVER);
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of source.stream(file)) pieces.push(piece);
  } finally {
    await source.close();
  }
  return Buffer.concat(pieces).toString();
}

test("it reads files below the address, also through redirects to a store of files", async () => {
  const address = await serve((request, response) => {
    if (request.url === "/v1/SHA256SUMS")
      response.writeHead(302, { location: "/store?key=1" }).end();
    else response.end(request.url);
  });
  const source = releaseDownload(`${address}/v1`, NEVER);
  expect((await source.read("SHA256SUMS", 100))?.toString()).toBe("/store?key=1");
  await source.close();
  expect(await download(`${address}/v1/`, "svc.gz")).toBe("/v1/svc.gz");
});

test("a file that is not there is none; a large one, an error and a loop are refused", async () => {
  const address = await serve((request, response) => {
    if (request.url === "/loop") response.writeHead(302, { location: "/loop" }).end();
    else if (request.url === "/large") response.end("x".repeat(101));
    else if (request.url === "/elsewhere") response.writeHead(302, { location: "ftp://x/" }).end();
    else response.writeHead(request.url === "/missing" ? 404 : 500).end();
  });
  const source = releaseDownload(address, NEVER);
  expect(await source.read("missing", 100)).toBeUndefined();
  await expect(source.read("large", 100)).rejects.toThrow("large has more than 100 bytes");
  await expect(source.read("error", 100)).rejects.toThrow("the server answers 500 for error");
  await expect(source.read("loop", 100)).rejects.toThrow("redirects more than 5 times");
  await expect(source.read("elsewhere", 100)).rejects.toThrow("redirects to ftp:");
  await source.close();
  await expect(download(address, "missing")).rejects.toThrow("the server answers 404 for missing");
});

test("a download that breaks off and a server that is down are reported", async () => {
  const address = await serve((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half");
    response.destroy();
  });
  await expect(download(address, "svc.gz")).rejects.toMatchObject({ code: "UPGRADE_FAILED" });
  const port = await freePort();
  await expect(download(`http://127.0.0.1:${port}`, "svc.gz")).rejects.toThrow(
    `127.0.0.1:${port} cannot be reached (ECONNREFUSED)`,
  );
});

test.each([
  [
    "http://svc.example.org/1.2.3",
    "uses plain HTTP, so anybody on the network path can change the program",
  ],
  ["https://ann:secret@svc.example.org", "contains a credential"],
  ["https://", "is not a URL"],
])("%s is refused", (address, problem) => {
  expect(() => releaseDownload(address, NEVER)).toThrow(`FROM ${problem}.`);
});

needs(["openssl"], () => {
  test("a server with a certificate that nobody vouches for is refused", async () => {
    const port = await listen(
      createSecureServer(certificate("IP:127.0.0.1"), (_, response) => response.end()),
    );
    await expect(download(`https://127.0.0.1:${port}`, "svc")).rejects.toThrow(
      /cannot be reached \((?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN)\)/,
    );
  });
});
