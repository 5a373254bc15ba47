// The content of an index must not depend on the load of the machine.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { afterAll, expect, onTestFinished } from "vitest";

import { createPlace, exitCode, startProgram, svc, type Place } from "../spec/program.ts";
import { promise, sized } from "./promise.ts";

/** A quarter of a megabyte that takes some tenths of a second to parse, with few symbols. */
function costly(): string {
  const body = Array.from(
    { length: 110 },
    (_, line) =>
      `  if (it.at<${line}>((a)(b)*c, d<e>(f)) == ${line}) return f<g<h>>(it)(a < b, c > (d))[${line}];\n`,
  ).join("");
  const names = Array.from({ length: 28 }, (_, name) => `h${name}`);
  return names.map((name) => `inline int ${name}(const Row<int> &it) {\n${body}}\n`).join("");
}

const COSTLY = "src/costly.cc";
/** Two files that are not parsed to their end, and two that are. */
const FILES = {
  [COSTLY]: costly(),
  // The scanner of Python scans ahead to the end at each line.
  "src/continued.py": "def first():\n    return 1\n" + "\\\n".repeat(20_000),
  "src/nested.go": `package a\n\nfunc f() {\n${"{-".repeat(5000)}\n`,
  "src/plain.py": "def plain():\n    return 1\n",
};

function place(files: Readonly<Record<string, string>>): Place {
  const created = createPlace(files);
  onTestFinished(created.remove);
  return created;
}

async function printed(where: Place, ...words: readonly string[]): Promise<string> {
  return (await ran(where, ...words)).stdout;
}

async function ran(where: Place, ...words: readonly string[]): ReturnType<typeof svc> {
  const run = await svc(where, ...words);
  expect([run.exit, run.stderr]).toEqual([0, expect.any(String)]);
  return run;
}

interface Counts {
  readonly chunks: number;
  readonly symbols: number;
  readonly problems?: unknown;
  readonly problem_files?: unknown;
}

async function statusOf(where: Place): Promise<Counts> {
  const text = await printed(where, "status", "--skipped", "--json");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the output of the program
  const { namespaces } = JSON.parse(text) as { namespaces: readonly Counts[] };
  const [{ chunks, symbols, problems, problem_files } = { chunks: 0, symbols: 0 }] = namespaces;
  return { chunks, symbols, problems, problem_files };
}

/** The content of the index, and how answers show it. */
async function picture(where: Place): Promise<unknown> {
  const segments = readdirSync(join(where.home, "data/namespaces"), { recursive: true })
    .map((name) => join(where.home, "data/namespaces", String(name)))
    .filter((path) => /segments[/\\][^/\\]+$/.test(path))
    .map((path) => createHash("sha256").update(readFileSync(path)).digest("hex"));
  const outlines: string[] = [];
  for (const path of [COSTLY, "src/plain.py"]) {
    // oxlint-disable-next-line no-await-in-loop -- the machine has other tests to run
    outlines.push(await printed(where, "outline", path, "--json"));
  }
  return { segments: segments.toSorted(), outlines, status: await statusOf(where) };
}

interface Quiet {
  readonly place: Place;
  /** What its first run reported. */
  readonly report: string;
  readonly picture: unknown;
}

let quietRun: Promise<Quiet> | undefined;

/** A project that is indexed without a stop. It is the same for all tests, because one of its files takes seconds. */
function quietly(): Promise<Quiet> {
  quietRun ??= (async () => {
    const created = createPlace(FILES);
    const { stderr: report } = await ran(created, "index");
    return { place: created, report, picture: await picture(created) };
  })();
  return quietRun;
}

afterAll(async () => (await quietRun)?.place.remove());

/** A machine that gives the program little time: it repeatedly stops the program for longer than it lets it run. */
async function indexWithStops(where: Place, stops: number): Promise<void> {
  const child = startProgram(where, ["index"]);
  child.stdout.resume();
  child.stderr.resume();
  const exit = exitCode(child);
  for (let left = stops; left > 0 && child.exitCode === null; left -= 1) {
    // oxlint-disable-next-line no-await-in-loop -- one stop after the other
    await delay(120);
    child.kill("SIGSTOP");
    // oxlint-disable-next-line no-await-in-loop -- as above
    await delay(2200);
    child.kill("SIGCONT");
  }
  expect(await exit).toBe(0);
}

promise(
  [11],
  "an index is the same from a machine that stops the program as from a quiet one",
  async () => {
    const quiet = await quietly();
    const busy = place(FILES);
    const stops = sized({ quick: 4, full: 30 });
    await indexWithStops(busy, stops);
    expect(await picture(busy)).toEqual(quiet.picture);
    return stops;
  },
);

promise(
  [11],
  "a file that is indexed without its grammar is reported until that is over",
  async () => {
    // No other test needs this place after its first run.
    const { place: where, report } = await quietly();
    expect(report).toContain(
      'Warning: "src/continued.py" was indexed without its grammar: Parsing',
    );
    expect(report).toContain("So were 1 more");
    const expected = {
      problems: { budget: 1, nesting: 1 },
      problem_files: [
        { path: "src/continued.py", reason: "budget" },
        { path: "src/nested.go", reason: "nesting" },
      ],
    };
    expect(await statusOf(where)).toMatchObject(expected);
    expect(await printed(where, "status", "--skipped")).toContain("    budget  src/continued.py\n");
    // svc still finds its lines and its definitions.
    expect(await printed(where, "outline", "src/continued.py")).toContain("first");
    // A run without changes keeps the known state.
    await printed(where, "index");
    expect(await statusOf(where)).toMatchObject(expected);
    const { root } = where;
    writeFileSync(join(root, "src/continued.py"), "def first():\n    return 1\n");
    writeFileSync(join(root, "src/nested.go"), "package a\n");
    await printed(where, "index");
    expect(await statusOf(where)).toMatchObject({ problems: undefined, problem_files: undefined });
    return 2;
  },
);

promise(
  [11],
  "a file that the parser fails on costs other files nothing beyond one run",
  async () => {
    // The parser of C# runs out of its memory.
    const where = place({
      "src/a.cs": `${"a<".repeat(40)}\n`.repeat(1500),
      "src/b.py": "def b():\n    return 1\n",
    });
    await printed(where, "index");
    expect(await statusOf(where)).toMatchObject({
      problem_files: [
        { path: "src/a.cs", reason: "parser-failed" },
        { path: "src/b.py", reason: "parser-stopped" },
      ],
    });
    await printed(where, "index");
    expect(await statusOf(where)).toMatchObject({
      problem_files: [{ path: "src/a.cs", reason: "parser-failed" }],
    });
    return 2;
  },
);
