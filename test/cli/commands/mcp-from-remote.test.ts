// `svc mcp --from-remote` against a real server: the first index starts from the server's, and no call waits for it.
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { moduleOf, modules } from "../../engine/fixtures/worktrees.ts";
import { createProject, request } from "../../helpers/project.ts";
import { plant } from "../../helpers/tree.ts";
import { createTokenFor } from "../../spec/commands-here.ts";
import {
  createPlace,
  exitCode,
  startProgram,
  svc as program,
  type Place,
} from "../../spec/program.ts";
import { startServer, type Server } from "../../spec/stdio-client.ts";
import { credentialMachine } from "../credential-machine.ts";
import { serveProject, TOKEN } from "../../transports/http/serve-project.ts";

const COUNT = 200;

/**
 * A laptop whose user has logged in to a server with the same files. Until `open` is called, the server sends nothing.
 */
async function machines() {
  const project = createProject(modules(COUNT), { namespace: "project", onDisk: true });
  onTestFinished(() => project.dispose());
  await project.engine.index(request());
  const gate = Promise.withResolvers<void>();
  let lists = 0;
  const exports = {
    ...project.engine.exports,
    list: async (asked: Parameters<typeof project.engine.exports.list>[0]) => {
      lists += 1;
      await gate.promise;
      return project.engine.exports.list(asked);
    },
  };
  const given = { ...project, engine: { ...project.engine, exports } };
  const server = await serveProject({}, { sharesIndexes: true }, undefined, given);
  const place = createPlace(modules(COUNT));
  onTestFinished(place.remove);
  const login = startProgram(place, ["auth", "login", server.url]);
  login.stdin.end(`${TOKEN}\n`);
  expect(await exitCode(login)).toBe(0);
  return {
    project,
    place,
    url: server.url,
    stop: () => server.end(),
    open: () => gate.resolve(),
    lists: () => lists,
  };
}

async function session(place: Place, url: string): Promise<Server> {
  const { token } = await createTokenFor(place);
  const flags = ["--from-remote", url, "--remote-namespace", "project"];
  return startServer(place, { SERVICE_TOKEN: token }, flags);
}

async function status(server: Server): Promise<string> {
  return (await server.items("index_status", {})).map(({ text }) => text).join("\n");
}

test("a first index starts from the server's, answers wait for neither, and many changed files fetch it again", async () => {
  const { project, place, url, open, lists } = await machines();
  plant(place.root, { "src/m3.ts": moduleOf(3, "b") });
  const server = await session(place, url);
  const first = await server.request("initialize", { clientInfo: { name: "laptop" } });
  expect(first.result?.serverInfo?.["name"]).toBe("svc");
  const call = { name: "search_text", arguments: { pattern: "marmot3b" } };
  const early = await server.request("tools/call", call);
  expect(early.result?.structuredContent).toMatchObject({ error_code: "INDEX_EMPTY" });
  open();
  const texts = await server.items("search_text", { pattern: "marmot3b" });
  expect(texts.map(({ text }) => text).join("\n")).toContain("src/m3.ts");
  await expect
    .poll(() => status(server), { timeout: 20_000 })
    .toContain(`Started from the index of project at ${url}: ${COUNT - 1} of ${COUNT} files`);
  const before = lists();
  // The server and the laptop move on by 150 files, which have another size now.
  const pulled = Object.fromEntries(
    Array.from({ length: 150 }, (_, at) => [`src/m${at}.ts`, `${moduleOf(at, "pulled")}\n`]),
  );
  plant(project.root, pulled);
  await project.engine.index(request());
  expect(await server.close()).toBe(0);
  plant(place.root, pulled);
  const next = await session(place, url);
  await next.items("search_text", { pattern: "marmot3pulled" });
  await expect.poll(lists, { timeout: 20_000 }).toBeGreaterThan(before);
  await expect
    .poll(async () => (await next.items("search_text", { pattern: "marmot7pulled" })).length, {
      timeout: 20_000,
    })
    .toBeGreaterThan(0);
  expect(await next.close()).toBe(0);
  expect(next.stderr()).not.toContain("without the index");
}, 120_000);

test.each(["its token", "the server"])(
  "without %s, the files are read and the log says why",
  async (what) => {
    const { place, url, stop } = await machines();
    const isStopped = what === "the server";
    await (isStopped ? stop() : program(place, "auth", "logout", url));
    const server = await session(place, url);
    const found = async (): Promise<string> =>
      (await server.items("search_text", { pattern: "marmot2a" }))
        .map(({ text }) => text)
        .join("\n");
    await expect.poll(found, { timeout: 20_000 }).toContain("src/m2.ts");
    expect(await server.close()).toBe(0);
    const lines = server
      .stderr()
      .split("\n")
      .filter((line) => line.includes("of the server"));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      level: "warn",
      message: "reads the files, without the index of the server",
      problem: isStopped
        ? `The server ${url} cannot be reached (ECONNREFUSED).`
        : `There is no access token for ${url}. Run \`svc auth login ${url}\` once on this machine.`,
    });
  },
  60_000,
);

test("flags that exclude each other are refused", async () => {
  const place = createPlace();
  onTestFinished(place.remove);
  const refused = async (...flags: readonly string[]): Promise<string> => {
    const child = startProgram(place, ["mcp", ...flags]);
    let err = "";
    child.stderr.on("data", (text: string) => (err += text));
    child.stdin.end();
    expect(await exitCode(child)).toBe(2);
    return err;
  };
  const url = "https://svc.example.org";
  expect(await refused("--from-remote", url, "--remote", url)).toContain("cannot be used together");
  expect(await refused("--remote-namespace", "web")).toContain("needs --from-remote");
  expect(await refused("--from-remote", "http://svc.example.org")).toContain("https");
}, 60_000);

test("svc install writes --from-remote, which replaces --remote, and the other way round", async () => {
  const { svc, home } = credentialMachine();
  const SERVER = "https://svc.example.org";
  const SERVE = [join(import.meta.dirname, "../../../src/main.ts"), "mcp", "--stdio"];
  const written = (): unknown =>
    JSON.parse(readFileSync(join(home, ".claude.json"), "utf8")).mcpServers.svc.args;
  const { err } = await svc("install", "claude-code", "--from-remote", SERVER);
  expect(written()).toEqual([...SERVE, "--from-remote", SERVER]);
  // This machine answers, so it needs its own token, too.
  expect(err).toContain("created token");
  expect(err).toContain(`svc: no token for ${SERVER} is saved yet`);
  expect((await svc("install", "claude-code")).out).toContain("Claude Code already has svc");
  await svc("install", "claude-code", "--remote", SERVER);
  expect(written()).toEqual([...SERVE, "--remote", SERVER]);
  await svc("install", "claude-code", "--from-remote", SERVER);
  expect(written()).toEqual([...SERVE, "--from-remote", SERVER]);
  const both = await svc("install", "zed", "--from-remote", SERVER, "--remote", SERVER);
  expect([both.code, both.err]).toEqual([2, expect.stringContaining("cannot be used together")]);
});
