// The README shows the output of the program.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { PICTURED_COMMAND } from "../../scripts/docs/terminal-picture.ts";
import { terminalSvg } from "../../scripts/docs/terminal-svg.ts";
import { commandLines, fencedBlocks } from "../docs/markdown.ts";
import { realProject } from "../helpers/real-project.ts";
import { createToken, type Place } from "../spec/program.ts";
import { startServer } from "../spec/stdio-client.ts";

const REPOSITORY = join(import.meta.dirname, "../..");
const SVC = join(REPOSITORY, "dist/svc");
const README = readFileSync(join(REPOSITORY, "README.md"), "utf8");
process.env["SVC_BIN"] = SVC;

/** Indexing a real project takes a slow machine a minute, and no test here is about that. */
const INDEXING_MS = 120_000;

let base = "";
let place: Place;

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), "svc-readme-"));
  const [root, home] = [realProject(base), join(base, "home")];
  mkdirSync(home);
  place = { root, home, remove: () => rmSync(base, { recursive: true, force: true }) };
}, INDEXING_MS);

afterAll(() => place.remove());

/** The blocks fenced as `language`. */
function blocks(language: string): readonly string[] {
  return fencedBlocks(README)
    .filter((block) => block.language === language)
    .map(({ text }) => text);
}

/** Runs a command line in the parent folder of the project. Returns its output without machine-dependent parts. */
function run(line: string): string {
  const output = execFileSync("bash", ["-c", line], {
    cwd: dirname(place.root),
    encoding: "utf8",
    env: {
      PATH: `${dirname(SVC)}:${process.env["PATH"] ?? ""}`,
      HOME: place.home,
      SERVICE_HOME: join(place.home, "data"),
    },
  });
  return output.replaceAll(dirname(place.root), "~");
}

function withoutTimes(text: string): string {
  return text.replaceAll(/in \d+(?:\.\d+)? s\./g, "in N s.");
}

test("the transcript is what its commands print", { timeout: INDEXING_MS }, () => {
  const [transcript = ""] = blocks("console");
  const steps = transcript.split(/^\$ /m).filter((step) => step !== "");
  expect(steps).toHaveLength(2);
  for (const step of steps) {
    const [command = "", ...output] = step.split("\n");
    expect(withoutTimes(run(command))).toBe(withoutTimes(output.join("\n")));
  }
});

test("the picture shows what its command prints", () => {
  expect(README).toContain("](docs/terminal.svg)");
  const picture = readFileSync(join(REPOSITORY, "docs/terminal.svg"), "utf8");
  const actual = terminalSvg(PICTURED_COMMAND, run(`${PICTURED_COMMAND} --color always`));
  expect(picture, "renew it with `node scripts/docs/terminal-picture.ts`").toBe(actual);
});

test("the client config starts a server that answers in the project", async () => {
  const config: unknown = JSON.parse(blocks("json")[0] ?? "");
  expect(config).toEqual({ mcpServers: { svc: { command: "svc", args: ["mcp", "--stdio"] } } });
  const SERVICE_TOKEN = await createToken(place);
  const server = startServer(place, { SERVICE_TOKEN });
  const [first] = await server.items("search_context", { query: "merge duplicate chunks" });
  expect(first?.text).toContain("MergeDuplicateChunksPlugin.js:");
  expect(await server.close()).toBe(0);
});

test("the README has svc commands, which test/docs/links.test.ts checks", () => {
  expect(commandLines(README).length).toBeGreaterThan(1);
});
