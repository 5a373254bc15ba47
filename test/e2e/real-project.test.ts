// The shipped program on a well-known project, with questions that its documentation answers. The README shows its output
// on the same project.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";

import { PICTURED_COMMAND } from "../../scripts/docs/terminal-picture.ts";
import { terminalSvg } from "../../scripts/docs/terminal-svg.ts";
import { commandLines, fencedBlocks } from "../docs/markdown.ts";
import { realProject } from "../helpers/real-project.ts";
import { plant } from "../helpers/tree.ts";
import { createTokenFor } from "../spec/commands-here.ts";
import { svc, type Place } from "../spec/program.ts";
import { startServer } from "../spec/stdio-client.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const SVC = join(REPOSITORY, "dist/svc");
const README = readFileSync(join(REPOSITORY, "README.md"), "utf8");
process.env["SVC_BIN"] = SVC;

/** Concepts of the public documentation, each with the file whose code is the answer. */
const QUESTIONS = [
  ["split chunks by cache groups and minimum size", "lib/optimize/SplitChunksPlugin.js"],
  ["persistent cache: store packs in files on disk", "lib/cache/PackFileCacheStrategy.js"],
  ["watch mode: invalidate and recompile when files change", "lib/watch/Watching.js"],
  ["hooks of the compiler: run, emit, done", "lib/Compiler.js"],
  [
    "Hot Module Replacement API: accept, decline, dispose handlers",
    "lib/hmr/HotModuleReplacement.runtime.js",
  ],
  [
    "How do I generate source maps with eval for each module?",
    "lib/devtool/EvalSourceMapDevToolPlugin.js",
  ],
  [
    "provide exposes and shared modules for module federation",
    "lib/container/ModuleFederationPlugin.js",
  ],
  [
    "report a performance hint when an asset is over the size limit",
    "lib/performance/SizeLimitsPlugin.js",
  ],
  ["read environment variables from .env files with dotenv", "lib/define/DotenvPlugin.js"],
  [
    "What happens when a chunk is smaller than the minimum chunk size?",
    "lib/optimize/MinChunkSizePlugin.js",
  ],
] as const;

/** The same in words that the code hardly uses. Not every right file comes first; `INDIRECT_FOUND` is the minimum. */
const INDIRECT = [
  [
    "How does webpack use the sideEffects field of package.json to leave out modules whose exports nobody uses?",
    "lib/optimize/SideEffectsFlagPlugin.js",
  ],
  [
    "How are modules that several chunks share moved into a chunk of their own, by minimum size and cache groups?",
    "lib/optimize/SplitChunksPlugin.js",
  ],
  [
    "What does the entry of a federation container contain, so that a host can init it and get its exposed modules?",
    "lib/container/ContainerEntryModule.js",
  ],
  [
    "How does the hot module replacement runtime check for an update and apply it in the running page?",
    "lib/hmr/HotModuleReplacement.runtime.js",
  ],
  [
    "How is an import matched against the externals option so that it is not bundled?",
    "lib/externals/ExternalModuleFactoryPlugin.js",
  ],
  [
    "How is an image inlined as a base64 data URI with its MIME type?",
    "lib/asset/AssetGenerator.js",
  ],
  [
    "What replaces variables in the code with other values or expressions at compile time?",
    "lib/define/DefinePlugin.js",
  ],
  [
    "How is the persistent cache stored on disk between builds and thrown away when build dependencies change?",
    "lib/cache/PackFileCacheStrategy.js",
  ],
  [
    "What starts the next compilation in watch mode when files have changed, and how is it suspended?",
    "lib/watch/Watching.js",
  ],
  [
    "Which modules can be concatenated into one scope, as scope hoisting does?",
    "lib/optimize/ModuleConcatenationPlugin.js",
  ],
] as const;

/** The number of them that are currently among the first five files. */
const INDIRECT_FOUND = 7;

interface Step {
  readonly command: string;
  readonly output: string;
}

/** The commands of the README, each with the output that it shows. The first indexes the project. */
const TRANSCRIPT: readonly Step[] = blocks("console").flatMap((text) =>
  text
    .split(/^\$ /m)
    .filter((step) => step !== "")
    .map((step) => {
      const [command = "", ...output] = step.split("\n");
      return { command, output: output.join("\n") };
    }),
);

let base = "";
let place: Place;
let token = "";
/** The output of the commands of the README and of the command of its picture. */
let printed: readonly string[] = [];
let pictured = "";
let before: readonly string[] = [];
let files: ReadonlyMap<string, string>;
let client: Client;
let transport: StdioClientTransport;
const clientErrors: Error[] = [];

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), "svc-real-"));
  const [root, home] = [realProject(base), join(base, "home")];
  mkdirSync(home);
  place = { root, home, remove: () => rmSync(base, { recursive: true, force: true }) };
  before = traces(root);
  printed = TRANSCRIPT.map(({ command }) => run(command));
  pictured = run(`${PICTURED_COMMAND} --color always`);
  ({ token } = await createTokenFor(place));

  const env = { HOME: home, SERVICE_HOME: join(home, "data"), SERVICE_TOKEN: token };
  // A later test indexes a folder next to the project.
  const args = ["mcp", "--stdio", "--root", root, "--allow-root", base];
  transport = new StdioClientTransport({ command: SVC, args, env, stderr: "ignore" });
  client = new Client({ name: "e2e", version: "1.0.0" });
  // The client reports a line that is not a message here.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the client is not an EventTarget
  client.onerror = (error) => void clientErrors.push(error);
  await client.connect(transport);
  files = await indexedFiles();
}, 180_000);

afterAll(async () => {
  await client.close();
  place.remove();
});

/** The blocks of the README fenced as `language`. */
function blocks(language: string): readonly string[] {
  return fencedBlocks(README)
    .filter((block) => block.language === language)
    .map(({ text }) => text);
}

/** Runs a command line in the parent folder of the project. Returns its output without machine-dependent parts. */
function run(line: string): string {
  const output = execFileSync("bash", ["-c", line], {
    cwd: base,
    encoding: "utf8",
    env: {
      PATH: `${dirname(SVC)}:${process.env["PATH"] ?? ""}`,
      HOME: place.home,
      SERVICE_HOME: join(place.home, "data"),
    },
  });
  return output.replaceAll(base, "~");
}

function withoutTimes(text: string): string {
  return text.replaceAll(/in \d+(?:\.\d+)? s\./g, "in N s.");
}

interface Answer {
  readonly texts: readonly string[];
  readonly structured: Readonly<Record<string, unknown>>;
}

async function call(name: string, input: Record<string, unknown>): Promise<Answer> {
  const result = CallToolResultSchema.parse(await client.callTool({ name, arguments: input }));
  const texts = result.content.map((item) => (item.type === "text" ? item.text : item.type));
  if (result.isError === true) throw new Error(texts.join("\n"));
  return { texts, structured: result.structuredContent ?? {} };
}

/** Path to text of every file that `index_status` does not count as skipped. */
async function indexedFiles(): Promise<ReadonlyMap<string, string>> {
  const { skipped_files: listed } = await status();
  const skipped = new Set(listed.map(({ path }) => path));
  return new Map(
    filesBelow(place.root)
      .filter((path) => !skipped.has(path))
      .map((path) => [path, readFileSync(join(place.root, path), "utf8")]),
  );
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );
}

/** The properties, of every file and folder of a tree, that a write would change. */
function traces(root: string): readonly string[] {
  return ["", ...readdirSync(root, { recursive: true, encoding: "utf8" }).toSorted()].map(
    (path) => {
      const { size, mtimeNs, ctimeNs, mode } = statSync(join(root, path), { bigint: true });
      return `${path} ${size} ${mtimeNs} ${ctimeNs} ${mode}`;
    },
  );
}

test("the transcript of the README is what its commands print", () => {
  expect(TRANSCRIPT).toHaveLength(2);
  expect(printed.map(withoutTimes)).toEqual(TRANSCRIPT.map(({ output }) => withoutTimes(output)));
});

test("the picture of the README shows what its command prints", () => {
  expect(README).toContain("](docs/terminal.svg)");
  const picture = readFileSync(join(REPOSITORY, "docs/terminal.svg"), "utf8");
  const actual = terminalSvg(PICTURED_COMMAND, pictured);
  expect(picture, "renew it with `node scripts/docs/terminal-picture.ts`").toBe(actual);
});

test("the client config of the README starts a server that answers in the project", async () => {
  const config: unknown = JSON.parse(blocks("json")[0] ?? "");
  expect(config).toEqual({ mcpServers: { svc: { command: "svc", args: ["mcp", "--stdio"] } } });
  const server = startServer(place, { SERVICE_TOKEN: token });
  const [first] = await server.items("search_context", { query: "merge duplicate chunks" });
  expect(first?.text).toContain("MergeDuplicateChunksPlugin.js:");
  expect(await server.close()).toBe(0);
});

test("the README has svc commands, which test/docs/links.test.ts checks", () => {
  expect(commandLines(README).length).toBeGreaterThan(1);
});

test.each(QUESTIONS)("%s", async (query, file) => {
  const { stdout } = await svc(place, "search", query, "--json", "--limit", "1");
  const { results }: { results: readonly { path: string }[] } = JSON.parse(stdout);
  const { texts } = await call("search_context", { query });
  const [atShell, overMcp] = [results[0]?.path, texts[0]?.split(":")[0]];
  expect({ atShell, overMcp }).toEqual({ atShell: file, overMcp: file });
});

test("most of the questions in other words have their file among the first five", async () => {
  const found: string[] = [];
  for (const [query, file] of INDIRECT) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    const { texts } = await call("search_context", { query, limit: 5 });
    if (texts.join("\n").includes(`${file}:`)) found.push(file);
  }
  expect(found.length).toBeGreaterThanOrEqual(INDIRECT_FOUND);
});

test("svc index reports how many files it has indexed and skipped", () => {
  const all = filesBelow(place.root).length;
  const [indexed] = printed;
  expect(all).toBeGreaterThan(500);
  expect(indexed).toContain(`${files.size} files (`);
  expect(indexed).toContain(`; ${all - files.size} files skipped.`);
});

test("index_status counts the files on disk without those it lists as skipped", async () => {
  // svc answers a question before the watcher's first scan has ended.
  await expect.poll(async () => (await status()).state, { timeout: 60_000 }).toBe("ready");
  const { state, files: count, bytes, skipped } = await status();
  const skippedCount = Object.values(skipped).reduce((sum, each) => sum + each, 0);
  const sizes = [...files.keys()].map((path) => statSync(join(place.root, path)).size);
  expect({ state, count, bytes, skippedCount }).toEqual({
    state: "ready",
    count: files.size,
    bytes: sizes.reduce((sum, size) => sum + size, 0),
    skippedCount: filesBelow(place.root).length - files.size,
  });
});

test.each([
  ["compilation.hooks", { case_sensitive: true }, /compilation\.hooks/],
  ["compilation.hooks", {}, /compilation\.hooks/i],
  ["tap(Async|Promise)\\(", { regex: true, case_sensitive: true }, /tap(Async|Promise)\(/],
])("search_text counts every line that holds %s %j", async (pattern, options, expression) => {
  const counts = [...files.values()]
    .map((text) => text.split("\n").filter((line) => expression.test(line)).length)
    .filter((count) => count > 0);
  const lines = counts.reduce((sum, count) => sum + count, 0);
  const { texts } = await call("search_text", { pattern, ...options, output: "count" });
  expect(lines).toBeGreaterThan(10);
  expect(texts).toEqual([`${lines} matching lines in ${counts.length} files.`]);
});

test("read_context returns the lines of a range as they are in the file", async () => {
  const { texts } = await call("read_context", { targets: ["lib/watch/Watching.js:20-60"] });
  const lines = files.get("lib/watch/Watching.js")?.split("\n").slice(19, 60) ?? [];
  expect(texts[0]?.split("\n").slice(1)).toEqual(lines);
  expect(texts[0]).toMatch(/^lib\/watch\/Watching\.js:20-60 {2}/);
});

test("read_context gives a definition from its first line to its last", async () => {
  const path = "lib/watch/Watching.js";
  const { texts } = await call("read_context", { targets: [`${path}#suspend`] });
  const all = files.get(path)?.split("\n") ?? [];
  const start = all.indexOf("\tsuspend() {");
  const end = all.indexOf("\t}", start);
  expect(start).toBeGreaterThan(0);
  expect(texts[0]).toContain(all.slice(start, end + 1).join("\n"));
  expect(texts[0]).not.toContain(all[end + 3]);
});

test("index_source adds a second folder to the workspace, under its own name", async () => {
  const second = join(base, "second");
  mkdirSync(second);
  plant(second, { "bees.md": "# Bees\n\nA hive winters on its own honey.\n" });
  const { structured } = await call("index_source", { source: second });
  expect(structured).toMatchObject({ done: true, files: files.size + 1, added: 1 });
  const { texts } = await call("search_context", { query: "a hive winters on honey" });
  expect(texts[0]).toMatch(/^second\/bees\.md:1-3 /);
});

test("one session with every tool writes only JSON lines, and ends with its input", async () => {
  const server = startServer(place, { SERVICE_TOKEN: token });
  await server.request("initialize", { clientInfo: { name: "e2e" } });
  await server.items("search_context", { query: QUESTIONS[0][0] });
  await server.items("search_text", { pattern: "compilation" });
  await server.items("read_context", { targets: ["README.md:1-5"] });
  await server.items("index_source", { source: place.root });
  await server.items("index_status", {});
  expect(await server.close()).toBe(0);
  expect(server.lines.map((line): unknown => JSON.parse(line))).toEqual(
    [1, 2, 3, 4, 5, 6].map((id) => ({ jsonrpc: "2.0", id, result: expect.any(Object) })),
  );
});

test("the client has received only messages, and its server ends when it leaves", async () => {
  const server: unknown = Reflect.get(transport, "_process");
  await client.close();
  // The client would send a signal after two seconds, and then the exit code would be another.
  expect(server).toMatchObject({ exitCode: 0, signalCode: null });
  expect(clientErrors).toEqual([]);
});

test("nothing was written into the project", () => {
  expect(traces(place.root)).toEqual(before);
});

interface Status {
  readonly state: string;
  readonly files: number;
  readonly bytes: number;
  readonly skipped: Readonly<Record<string, number>>;
  readonly skipped_files: readonly { readonly path: string }[];
}

async function status(): Promise<Status> {
  const { structured } = await call("index_status", { detail: "skipped" });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the program answers
  const [only] = structured["namespaces"] as readonly Status[];
  if (only === undefined) throw new Error("nothing is indexed");
  return only;
}
