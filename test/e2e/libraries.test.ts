// citty, consola and the client of the MCP SDK are in the program, and each is loaded only when it is needed
// (docs/decisions/0002-command-line.md).
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/svc");

interface Output {
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

const { outputs }: { readonly outputs: Readonly<Record<string, Output>> } = JSON.parse(
  readFileSync(join(ROOT, "dist/metafile.json"), "utf8"),
);

let home = "";
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "svc-libraries-"));
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
});

/** Runs the program with a temporary folder of its own. */
function svc(words: readonly string[], env: NodeJS.ProcessEnv = {}, input = "") {
  const own = { PATH: process.env["PATH"], HOME: home, TMPDIR: home };
  const folders = {
    SERVICE_HOME: join(home, "data"),
    SERVICE_CONFIG_HOME: join(home, "config"),
    SERVICE_DATA_KEY_FILE: join(home, "data.key"),
  };
  return spawnSync(SVC, words, {
    cwd: home,
    env: { ...own, ...folders, ...env },
    input,
    encoding: "utf8",
  });
}

/** Bytes of a package in each chunk that has some. */
function chunksWith(name: string): ReadonlyMap<string, number> {
  const sizes = Object.entries(outputs).map(([file, { inputs }]): [string, number] => [
    file,
    Object.entries(inputs)
      .filter(([input]) => input.includes(`node_modules/${name}/`))
      .reduce((sum, [, { bytesInOutput }]) => sum + bytesInOutput, 0),
  ]);
  return new Map(sizes.filter(([, bytes]) => bytes > 0));
}

/** The chunk and every chunk that loads together with it. */
function loadedWith(chunk: string): ReadonlySet<string> {
  const loaded = new Set([chunk]);
  for (const file of loaded) {
    for (const { path, kind } of outputs[file]?.imports ?? []) {
      if (kind === "import-statement" && path in outputs) loaded.add(path);
    }
  }
  return loaded;
}

/** The chunk made from this source file and the modules that only it needs. */
function chunkOf(source: string): string {
  const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source);
  if (found === undefined) throw new Error(`${source} has no chunk`);
  return found[0];
}

test.each([
  ["citty", 5000],
  ["consola", 4000],
  ["@modelcontextprotocol/sdk", 40_000],
])("%s is in the program", (name, minBytes) => {
  const [bytes = 0, ...others] = chunksWith(name).values();
  expect(others).toEqual([]);
  expect(bytes).toBeGreaterThan(minBytes);
});

test.each(["@modelcontextprotocol/sdk", "zod", "ajv", "cross-spawn"])(
  "%s loads with the self-test of svc doctor, and with neither the program nor svc mcp",
  (name) => {
    const chunks = [...chunksWith(name).keys()];
    const isLoadedWith = (source: string): boolean => {
      const loaded = loadedWith(chunkOf(source));
      return chunks.some((chunk) => loaded.has(chunk));
    };
    expect(isLoadedWith("src/doctor/mcp-self-test.ts")).toBe(true);
    const starts = ["src/main.ts", "src/cli/commands/mcp.ts", "src/tools/registry.ts"];
    expect(starts.filter(isLoadedWith)).toEqual([]);
  },
);

test("only part of consola is in the program: its log, without its prompts and its reporters", () => {
  const inputs = Object.values(outputs).flatMap(({ inputs: parts }) => Object.keys(parts));
  expect(inputs.filter((file) => file.includes("node_modules/consola/"))).toEqual([
    "node_modules/consola/dist/core.mjs",
  ]);
});

test("citty runs the command, and its own reading of words does not show", () => {
  expect(svc(["status", "--no-nonsense"])).toMatchObject({ status: 2, stdout: "" });
  expect(svc(["status", "--no-nonsense"]).stderr).toContain("There is no flag --no-nonsense.");
  expect(svc(["namespaces", "list", "--json"]).status).toBe(0);
});

test("consola writes each log line to standard error, from the level that is set", () => {
  const call = { jsonrpc: "2.0", method: "tools/call", params: { name: "outline", arguments: {} } };
  const calls = Array.from({ length: 10 }, (_, id) => JSON.stringify({ ...call, id }));
  const input = `${calls.join("\n")}\n`;
  const words = ["mcp", "--stdio", "--root", home];
  const { stdout, stderr } = svc(words, { SERVICE_LOG_LEVEL: "info" }, input);
  expect(stdout.trimEnd().split("\n")).toHaveLength(10);
  const lines = stderr.trimEnd().split("\n");
  const logged = lines.map((line): { level: string; message: string } => JSON.parse(line));
  expect(logged.filter(({ message }) => message === "call")).toHaveLength(10);
  expect(Object.keys(logged[0] ?? {}).slice(0, 3)).toEqual(["time", "level", "message"]);
  expect(svc(words, { SERVICE_LOG_LEVEL: "warn" }, input).stderr).not.toContain('"info"');
});

test("svc doctor starts the program itself as a server, and its client of the SDK gets answers", () => {
  const { status, stdout } = svc(["doctor"]);
  expect(stdout).toMatch(
    /^ok {7}MCP server: answers with \d+ tools, and a test search found its line$/m,
  );
  expect(status).toBe(0);
  expect(readdirSync(home).filter((name) => name.startsWith("svc-self-test"))).toEqual([]);
});
