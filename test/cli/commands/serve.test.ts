import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { request } from "node:https";
import { mkdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";

import { afterAll, describe, expect, test } from "vitest";

import { createTokenFor, outputHere, servedHere } from "../../spec/commands-here.ts";
import { JSON_BODY, post, startHttp } from "../../spec/http-server.ts";
import { createPlace, svc } from "../../spec/program.ts";
import type { Reply } from "../../spec/stdio-client.ts";
import { needs } from "../../helpers/needs.ts";

const START_MS = 60_000;
const served = servedHere({ "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" });
const place = createPlace({ "README.md": "# Lighthouse\n\nThe lamp is lit at dusk.\n" });
afterAll(place.remove);

/** The calls in the audit log. */
async function audited(): Promise<Readonly<Record<string, unknown>>[]> {
  const lines = await outputHere(served().place, "audit", "tail", "--json", "--lines", "1000");
  return lines
    .trimEnd()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line))
    .filter(({ event }) => event === "call");
}

/** The result for a folder to be indexed. */
async function outcomeOf(source: string): Promise<unknown> {
  const { status, body } = await served().call("index_source", { source });
  return [status, body.error?.data ?? body.result?.isError ?? "ok"];
}

describe("index_source over HTTP", () => {
  test("accepts folders below a source, and refuses others alike whether they exist or not", async () => {
    const { root, home } = served().place;
    mkdirSync(join(home, "secret"));
    const refused = [403, { error_code: "FORBIDDEN", detail: expect.stringContaining("sources") }];
    const outside = [
      join(home, "secret"),
      join(home, "missing"),
      "/",
      `${root}-evil`,
      join(root, ".."),
    ];
    const outcomes = await Promise.all(outside.map(outcomeOf));
    expect(outcomes).toEqual(outside.map(() => refused));
    expect(await outcomeOf(join(root, "docs"))).toEqual([200, "ok"]);
    expect(await outcomeOf(join(root, "missing"))).toEqual([200, true]);
  });

  test("adds nothing of one namespace to another that a token is limited to", async () => {
    const created = await createTokenFor(served().place, "--namespace", "elsewhere");
    const params = {
      name: "index_source",
      arguments: { source: served().place.root, namespace: "elsewhere" },
    };
    const { status, body } = await post<Reply>(
      `${served().server.url}/mcp`,
      { ...JSON_BODY, Authorization: `Bearer ${created.token}` },
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    );
    expect([status, body.error?.data.error_code]).toEqual([403, "FORBIDDEN"]);
  });

  test("is not offered with --read-only", async () => {
    const server = await startHttp(served().place, "--read-only");
    const { body } = await post<Reply>(
      `${server.url}/mcp`,
      { ...JSON_BODY, Authorization: `Bearer ${served().token}` },
      '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    );
    const names = body.result?.tools?.map(({ name }) => name);
    expect(names).toContain("search_context");
    expect(names).not.toContain("index_source");
    await server.close();
  });

  test("accepts --root before it is a source", async () => {
    const root = join(place.home, "other");
    mkdirSync(root);
    const { token } = await createTokenFor(place);
    const server = await startHttp(place, "--root", root, "--namespace", "other");
    const params = { name: "index_source", arguments: { source: root } };
    const { status } = await post<Reply>(
      `${server.url}/mcp`,
      { ...JSON_BODY, Authorization: `Bearer ${token}` },
      JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
    );
    expect(status).toBe(200);
    await server.close();
  });
});

test("a missing folder is refused before the server listens", async () => {
  const { stdout, stderr, exit } = await svc(place, "serve", "--port", "0", "--root", "missing");
  expect({ stdout, exit }).toEqual({ stdout: "", exit: 2 });
  expect(stderr).toContain('svc: "missing" does not exist or cannot be read.\n');
});

test("calls and refusals are in the audit log, without the query", async () => {
  const before = (await audited()).length;
  const { server, search, call } = served();
  await call("search_context", { query: "canary of the tide" });
  await search({ query: "canary of the tide" });
  await search({ query: "?" });
  const wrong = { ...JSON_BODY, "X-API-Key": `svk_${"0".repeat(38)}` };
  await post(`${server.url}/v1/search`, wrong, '{"query":"tides"}');
  // Another process reads the log: lines are written shortly after their answer.
  await expect.poll(async () => (await audited()).length, { timeout: 15_000 }).toBe(before + 4);
  const calls = (await audited()).slice(before);
  expect(calls).toMatchObject([
    { tool: "search_context", principal: expect.stringMatching(/^tok_/), outcome: "ok" },
    {
      tool: "/v1/search",
      principal: expect.stringMatching(/^key_/),
      namespace: "project",
    },
    { tool: "/v1/search", principal: expect.stringMatching(/^key_/), outcome: "INVALID_QUERY" },
    { tool: "/v1/search", principal: null, outcome: "CREDENTIAL_MALFORMED" },
  ]);
  expect(JSON.stringify(calls)).not.toContain("canary");
});

test("H1 an occupied port of 127.0.0.1 is reported with the fix", async () => {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = other.address() as AddressInfo;
  const { exit, stderr } = await svc(place, "serve", "--port", String(port));
  expect(exit).toBe(2);
  expect(stderr).toContain(`Another program listens on 127.0.0.1:${port}.`);
  expect(stderr).toContain("--port");
  other.close();
});

test(
  "H1 other machines are let connect only under a name, and with TLS or a proxy",
  async () => {
    const attempts = [
      ["--host", "0.0.0.0"],
      ["--host", "::", "--allow-host", "code.example.org"],
      ["--host", "0.0.0.0", "--behind-proxy"],
      ["--tls-cert", "cert.pem"],
      ["--tls-cert", "missing.pem", "--tls-key", "missing.pem"],
    ];
    const runs = await Promise.all(attempts.map((flags) => svc(place, "serve", ...flags)));
    expect(runs.map(({ exit }) => exit)).toEqual(attempts.map(() => 2));
    expect(
      runs.map(
        ({ stderr }) =>
          /--allow-host NAME|--tls-cert and --tls-key|cannot be read/.exec(stderr)?.[0],
      ),
    ).toEqual([
      "--allow-host NAME",
      "--tls-cert and --tls-key",
      "--allow-host NAME",
      "--tls-cert and --tls-key",
      "cannot be read",
    ]);
  },
  START_MS,
);

needs(["openssl"], () => {
  test(
    "TLS is spoken with a certificate and its key",
    async () => {
      const [cert, key] = [join(place.home, "cert.pem"), join(place.home, "key.pem")];
      const words = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout ${key} -out ${cert}`;
      const names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
      const result = spawnSync("openssl", words.split(" ").concat(names));
      expect(result.status).toBe(0);
      const server = await startHttp(place, "--tls-cert", cert, "--tls-key", key);
      expect(server.url).toMatch(/^https:/);
      const status = await new Promise((resolve, reject) => {
        const sent = request(`${server.url}/healthz`, { ca: readFileSync(cert) }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.on("error", reject).end();
      });
      expect(status).toBe(200);
      expect(await server.close()).toBe(0);
      const swapped = await svc(place, "serve", "--tls-cert", key, "--tls-key", cert);
      expect([swapped.exit, swapped.stderr.includes("cannot be used for TLS")]).toEqual([2, true]);
    },
    START_MS,
  );
});

test(
  "SIGINT and SIGTERM end the server with exit code 0",
  async () => {
    for (const name of ["SIGINT", "SIGTERM"] as const) {
      // eslint-disable-next-line no-await-in-loop -- one after the other
      const server = await startHttp(place);
      // eslint-disable-next-line no-await-in-loop -- as above
      expect(await server.close(name)).toBe(0);
    }
  },
  START_MS,
);

describe("--byok", () => {
  const address = "http://127.0.0.1:9/v1";

  test("is refused if keys would cross a network unencrypted", async () => {
    const reach = ["--host", "0.0.0.0", "--allow-host", "code.example.org"];
    const { exit, stderr } = await svc(place, "serve", "--byok", "--provider", address, ...reach);
    expect([exit, stderr]).toEqual([2, expect.stringContaining("--tls-cert")]);
    const far = await svc(place, "serve", "--byok", "--provider", "http://10.0.0.1/v1");
    expect([far.exit, far.stderr]).toEqual([2, expect.stringContaining("over plain HTTP")]);
  });

  test("starts a server while the provider is down", async () => {
    const flags = ["--provider", address, "--byok-namespace", "later"];
    const server = await startHttp(place, "--byok", ...flags);
    expect(server.stderr()).toContain('There is no namespace "later" yet');
    expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    expect(await server.close()).toBe(0);
  });
});
