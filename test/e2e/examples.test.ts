// The files in examples/ work unchanged, with the built program as `svc`.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { gitRepository } from "../helpers/git-repository.ts";
import { createPlace, svc } from "../spec/program.ts";

const SVC = join(import.meta.dirname, "../../dist/svc");
process.env["SVC_BIN"] = SVC;
const EXAMPLES = join(import.meta.dirname, "../../examples");

const place = createPlace({ "docs/bees.md": "# Bees\n\nA hive winters on its own honey.\n" });
beforeAll(async () => {
  const { exit, stderr } = await svc(place, "auth", "token", "create", "--name", "me", "--save");
  if (exit !== 0) throw new Error(stderr);
});
afterAll(place.remove);

const environment = {
  PATH: process.env["PATH"] ?? "",
  HOME: place.home,
  SERVICE_HOME: join(place.home, "data"),
};

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** File name to the part that a client reads. */
const CLIENTS: Readonly<Record<string, (text: string) => Entry>> = {
  "claude-code.mcp.json": (text) => entryOf(text, "mcpServers"),
  "cursor.mcp.json": (text) => entryOf(text, "mcpServers"),
  "vscode.mcp.json": (text) => entryOf(text, "servers"),
  "codex.toml": tomlEntry,
};

function entryOf(text: string, key: string): Entry {
  const file: Readonly<Record<string, Readonly<Record<string, Entry>>>> = JSON.parse(text);
  const entry = file[key]?.["svc"];
  if (entry === undefined) throw new Error(`${key} has no server svc`);
  return entry;
}

/** Reads its only table; strings and arrays are written as in JSON. */
function tomlEntry(text: string): Entry {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  expect(lines.shift()).toBe("[mcp_servers.svc]");
  const pairs = lines.map((line) => /^(\w+) = (.+)$/.exec(line) ?? []);
  return JSON.parse(`{${pairs.map(([, key, value]) => `"${key}": ${value}`).join(",")}}`);
}

test.each(Object.entries(CLIENTS))("%s starts a server that answers", async (name, read) => {
  const { command, args } = read(readFileSync(join(EXAMPLES, name), "utf8"));
  expect(command).toBe("svc");
  const client = new Client({ name: "examples", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({
      command: SVC,
      // The editor inserts the open folder.
      args: args.map((arg) => arg.replace("${workspaceFolder}", place.root)),
      cwd: place.root,
      env: environment,
      stderr: "ignore",
    }),
  );
  const question = { query: "what does a hive live on in winter" };
  // On a busy machine, the first index takes longer than a call waits for it.
  await expect
    .poll(() => client.callTool({ name: "search_context", arguments: question }), {
      timeout: 20_000,
    })
    .toHaveProperty(
      ["content", 0, "text"],
      "docs/bees.md:1-3  Bees\n# Bees\n\nA hive winters on its own honey.",
    );
  await client.close();
});

test("ci-search.sh prints the reply to a question with quotes in it", () => {
  const { status, stdout } = ciSearch('the "honey" of a hive\\', place.root);
  expect(status).toBe(0);
  const best = expect.stringContaining("docs/bees.md:1-3");
  expect(JSON.parse(stdout)).toHaveProperty(["result", "content", 0, "text"], best);
});

test("ci-search.sh fails if svc refuses the query", () => {
  const { status, stdout } = ciSearch("ab", place.root);
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ error: { data: { error_code: "INVALID_QUERY" } } });
});

test("the steps of github-actions.yml install a verified svc and report what a branch may break", () => {
  const repository = gitRepository();
  onTestFinished(repository.dispose);
  const caller = 'import { hive } from "./hive.ts";\nexport const winter = () => hive();\n';
  repository.commit({ "hive.ts": "export function hive() {}\n", "winter.ts": caller });
  repository.git("update-ref", "refs/remotes/origin/main", "HEAD");
  repository.commit({ "hive.ts": "export function hive(bees: number) {}\n" });
  const work = createPlace({});
  onTestFinished(work.remove);
  const released = gzipSync(readFileSync(SVC), { level: 0 });
  writeFileSync(join(work.root, "svc-1.2.3-linux-x64.gz"), released);
  const [path, summary] = [join(work.root, "path"), join(work.root, "summary")];
  const text = readFileSync(join(EXAMPLES, "github-actions.yml"), "utf8");
  const scripts = Array.from(
    text.matchAll(/run: \|\n((?: {10}.*\n)+)/g),
    ([, lines = ""]) => lines,
  );
  expect(scripts).toHaveLength(2);
  const run = (script: string, sum: string): number | null =>
    spawnSync("bash", ["-e", "-c", script], {
      cwd: repository.path,
      env: {
        ...environment,
        SERVICE_HOME: join(work.home, "data"),
        PATH: `${join(work.root, "bin")}:${environment.PATH}`,
        SVC_RELEASE: `file://${work.root}`,
        SVC_FILE: "svc-1.2.3-linux-x64.gz",
        SVC_SHA256: sum,
        RUNNER_TEMP: work.root,
        GITHUB_PATH: path,
        GITHUB_STEP_SUMMARY: summary,
        GITHUB_BASE_REF: "main",
      },
    }).status;
  const [install = "", impact = ""] = scripts;
  expect(run(install, "0".repeat(64))).toBe(1);
  expect(run(install, createHash("sha256").update(released).digest("hex"))).toBe(0);
  expect(readFileSync(path, "utf8")).toBe(`${join(work.root, "bin")}\n`);
  expect(run(impact, "")).toBe(0);
  expect(readFileSync(summary, "utf8")).toContain("winter.ts");
});

test("this file and team-example.test.ts run every example", () => {
  expect(readdirSync(EXAMPLES).toSorted()).toEqual(
    [...Object.keys(CLIENTS), "ci-search.sh", "github-actions.yml", "team"].toSorted(),
  );
});

function ciSearch(...args: readonly string[]): { status: number | null; stdout: string } {
  return spawnSync(join(EXAMPLES, "ci-search.sh"), args, {
    env: { ...environment, SVC },
    encoding: "utf8",
  });
}
