// The files in examples/ work unchanged, with the built program as `svc`.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect, test } from "vitest";

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

test("this file and team-example.test.ts run every example", () => {
  expect(readdirSync(EXAMPLES).toSorted()).toEqual(
    [...Object.keys(CLIENTS), "ci-search.sh", "team"].toSorted(),
  );
});

function ciSearch(...args: readonly string[]): { status: number | null; stdout: string } {
  return spawnSync(join(EXAMPLES, "ci-search.sh"), args, {
    env: { ...environment, SVC },
    encoding: "utf8",
  });
}
