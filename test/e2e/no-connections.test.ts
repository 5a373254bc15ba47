// The shipped program opens no connection: its network calls, as the system reports them.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import { gitRepository } from "../helpers/git-repository.ts";
import { plant } from "../helpers/tree.ts";
import { startHttp, JSON_BODY, post } from "../spec/http-server.ts";
import { createToken, svc, type Place } from "../spec/program.ts";
import { startServer } from "../spec/stdio-client.ts";
import { promise } from "../trust/promise.ts";
import { needs } from "../helpers/needs.ts";

const SVC = join(import.meta.dirname, "../../dist/svc");
const TRACE = ["strace", "-f", "-q", "-e", "trace=%network", "-e", "signal=none"];

needs(["strace"], () => {
  const repository = gitRepository();
  const outside = gitRepository();
  const traces = join(outside.path, "traces");
  const place: Place = {
    root: join(outside.path, "project"),
    home: join(outside.path, "home"),
    remove: () => {
      repository.dispose();
      outside.dispose();
    },
  };
  let token = "";

  beforeAll(async () => {
    mkdirSync(traces);
    mkdirSync(place.home);
    // The tracer steps aside, so that a signal reaches the program.
    const wrapper = `#!/bin/sh\nexec ${TRACE.join(" ")} -D -o ${traces}/$$ ${SVC} "$@"\n`;
    plant(outside.path, { wrapper });
    chmodSync(join(outside.path, "wrapper"), 0o755);
    vi.stubEnv("SVC_BIN", join(outside.path, "wrapper"));
    repository.commit({
      "src/orbit.ts": "export function orbit() {}\n",
      "docs/a.md": "# Orbits\n",
    });
    repository.commit({ "src/orbit.ts": "export function orbit(mass: number) {}\n" });
    outside.git("clone", "-q", repository.path, place.root);
    plant(place.root, { "src/orbit.ts": "export function orbit(weight: number) {}\n" });
    await expectSuccess("index");
    token = await createToken(place);
  }, 60_000);

  afterAll(() => {
    vi.unstubAllEnvs();
    place.remove();
  });

  async function expectSuccess(...args: readonly string[]): Promise<string> {
    const { exit, stdout, stderr } = await svc(place, ...args);
    expect([exit, exit === 0 ? "" : stderr]).toEqual([0, ""]);
    return stdout;
  }

  /** The network calls of the processes so far, without those between processes of this machine. */
  async function connectionsOf(): Promise<readonly string[]> {
    const texts = await Promise.all(
      readdirSync(traces).map((name) =>
        vi.waitFor(() => {
          const text = readFileSync(join(traces, name), "utf8");
          // Each process is traced to its end.
          expect(text).toMatch(/^(\d+) [^]*^\1 +\+\+\+ (?:exited|killed)/m);
          return text;
        }, 10_000),
      ),
    );
    return texts
      .flatMap((text) => text.split("\n"))
      .map((line) => line.replace(/^\d+ +/, ""))
      .filter((line) => /\bAF_(?!UNIX\b|LOCAL\b)|\b(?:listen|accept4?)\(/.test(line));
  }

  test("a program that does open one is seen", () => {
    const file = join(outside.path, "dialled");
    const script = 'require("net").connect(7420, "192.0.2.1").on("error", () => {}).unref()';
    spawnSync("strace", [...TRACE.slice(1), "-o", file, process.execPath, "-e", script]);
    expect(readFileSync(file, "utf8")).toMatch(/connect\(\d+, \{sa_family=AF_INET, .*192\.0\.2\.1/);
  });

  promise([32], "commands and a session over standard input open no network socket", async () => {
    await expectSuccess("search", "orbit");
    await expectSuccess("search", "orbit", "--json");
    await expectSuccess("status");
    await expectSuccess("auth", "keys", "create", "--name", "a", "--namespace", "docs");
    await expectSuccess("auth", "keys", "list");
    await expectSuccess("auth", "token", "list");
    await expectSuccess("auth", "store", "status");
    const server = startServer(place, { SERVICE_TOKEN: token });
    await server.request("initialize", { clientInfo: { name: "e2e" } });
    await server.items("search_context", { query: "orbit" });
    await server.items("search_text", { pattern: "orbit" });
    await server.items("find_references", { target: "orbit" });
    // Both commands run git.
    await server.items("analyze_impact", { target: "HEAD~1" });
    await server.items("analyze_impact", { target: "working" });
    await server.items("index_source", { source: place.root });
    expect(await server.close()).toBe(0);
    expect(await connectionsOf()).toEqual([]);
    return readdirSync(traces).length;
  });

  test("svc serve listens on loopback, and opens no connection", async () => {
    const key = await expectSuccess(
      "auth",
      "keys",
      "create",
      "--name",
      "b",
      "--namespace",
      "project",
    );
    const server = await startHttp(place);
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call" };
    const params = { name: "search_context", arguments: { query: "orbit" } };
    const bearer = { ...JSON_BODY, Authorization: `Bearer ${token}` };
    const answers = [
      await post(`${server.url}/mcp`, bearer, JSON.stringify({ ...call, params })),
      await post(
        `${server.url}/v1/search`,
        { ...JSON_BODY, "X-API-Key": key.trim() },
        '{"query":"orbit"}',
      ),
      await fetch(`${server.url}/readyz`),
      await fetch(`${server.url}/metrics`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await server.close()).toBe(0);
    const taken = /^(?:<\.\.\. )?(?:accept4?|getsockname|getpeername|setsockopt|getsockopt)\b/;
    const calls = await connectionsOf();
    expect(calls.some((line) => taken.test(line))).toBe(true);
    const here = String.raw`sin_port=htons\(0\), sin_addr=inet_addr\("127\.0\.0\.1"\)`;
    expect(calls.filter((line) => !taken.test(line))).toEqual([
      expect.stringMatching(/^socket\(AF_INET, SOCK_STREAM/),
      expect.stringMatching(new RegExp(`^bind\\(\\d+, \\{sa_family=AF_INET, ${here}`)),
      expect.stringMatching(/^listen\(/),
    ]);
  });
});
