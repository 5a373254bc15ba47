import { spawn, type ChildProcess } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { parseRestQuery } from "../../src/tools/search/rest-search.ts";
import { searchRecord } from "../../src/tools/search/search-record.ts";
import { createMachine } from "../helpers/cli.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import { tree } from "../helpers/tree.ts";
import { promise, sized } from "./promise.ts";

/** Occurs in every file and in every name outside. */
const CANARY = "Xq7canaryOutside";
const INSIDE = "export function inside() { return 'insideMark'; }\n";

interface Place {
  readonly base: string;
  readonly root: string;
}

/** A source, a folder whose name begins like the source's, and one elsewhere; links lead there in every way. */
function place(): Place {
  const { path: base, dispose } = tree({
    "root/src/a.ts": INSIDE,
    "root/docs/a.md": "# Inside\n\nThe inside function.\n",
    "root/swap/a.ts": INSIDE,
    "root/swapped.ts": INSIDE,
    [`root-evil/${CANARY}.ts`]: `export const ${CANARY} = 1;\n`,
    "root-evil/a.ts": `export const ${CANARY} = 1;\n`,
    "outside/a.ts": `export const ${CANARY} = 1;\n`,
    "outside/deep/a.ts": `export const ${CANARY} = 1;\n`,
    "outside/a.md": `# ${CANARY}\n`,
  });
  onTestFinished(dispose);
  const root = join(base, "root");
  const links: Readonly<Record<string, string>> = {
    "link.ts": "../outside/a.ts",
    "absolute.ts": join(base, "outside/a.ts"),
    folder: "../outside",
    chain: "folder/deep",
    up: "..",
    evil: "../root-evil",
    proc: "/proc/self/root",
    "src/link.ts": "../../outside/a.ts",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
  return { base, root };
}

/** Ways out of the source, as a path argument. */
function waysOut({ base, root }: Place): readonly string[] {
  const outside = join(base, "outside/a.ts");
  const plain = [
    "../outside/a.ts",
    "src/../../outside/a.ts",
    "./../outside/a.ts",
    "src//..//..//outside/a.ts",
    "..\\outside\\a.ts",
    "src\\..\\..\\outside\\a.ts",
    "%2e%2e/outside/a.ts",
    "..%2foutside%2fa.ts",
    "%252e%252e/outside/a.ts",
    "\u2025/outside/a.ts",
    "\uff0e\uff0e/outside/a.ts",
    "../outside/a.ts\0.ts",
    "src/a.ts\0/../../../outside/a.ts",
    outside,
    `/${outside}`,
    `file://${outside}`,
    `~/../..${outside}`,
    `C:${outside.replaceAll("/", "\\")}`,
    `\\\\localhost\\c$${outside.replaceAll("/", "\\")}`,
    `\\\\?\\${outside}`,
    `//localhost${outside}`,
    `${root}-evil/a.ts`,
    "../root-evil/a.ts",
    `${root}/../outside/a.ts`,
    `${root}/folder/a.ts`,
    `/proc/self/root${outside}`,
    `/proc/self/cwd/../..${outside}`,
    "/dev/fd/0",
    "link.ts",
    "absolute.ts",
    "folder/a.ts",
    "folder/deep/a.ts",
    "chain/a.ts",
    "up/outside/a.ts",
    "evil/a.ts",
    `proc${outside}`,
    "src/link.ts",
    "folder",
    "up",
    "evil",
    "..",
    "../outside",
    "../*/a.ts",
    "**/../../outside/**",
    "folder/**",
    "{..,src}/outside/a.ts",
  ];
  return plain;
}

type Call = readonly [tool: string, input: Readonly<Record<string, unknown>>];

/** Every argument of every tool that names a place. */
function callsWith(way: string): readonly Call[] {
  return [
    ["outline", { path: way }],
    ["read_context", { targets: [way] }],
    ["read_context", { targets: [`${way}:1-5`] }],
    ["read_context", { targets: [`${way}#${CANARY}`] }],
    ["search_context", { query: "export const function", path: way }],
    ["search_text", { pattern: "export", path: way }],
    ["search_text", { pattern: "export", path: way, output: "files" }],
    ["find_symbol", { name: "inside", path: way }],
    ["find_references", { symbol: `${way}:1` }],
    ["find_references", { symbol: way, relation: "imports" }],
    ["find_references", { symbol: "inside", path: way }],
    ["analyze_impact", { target: way }],
    ["analyze_impact", { target: `${way}:1-3` }],
    ["find_related", { target: way }],
    ["list_changes", { since: "1", path: way }],
    ["set_monitor", { action: "create", name: "any", path: way }],
  ];
}

function expectNothing(what: string, answer: string): void {
  // An error repeats the requested name.
  const own = answer.replaceAll(`#${CANARY}`, "");
  expect(own.includes(CANARY) ? `${what}: ${answer.slice(0, 500)}` : "").toBe("");
}

async function said(here: Project, [name, input]: Call): Promise<string> {
  try {
    return JSON.stringify(await here.tool(name, input));
  } catch (thrown) {
    return String(thrown);
  }
}

promise([27], "no path argument of a tool shows anything from outside a source", async () => {
  const where = place();
  const here = createProject(
    {},
    { onDisk: true, workspace: () => where.root, indexOnlyBelow: [where.root] },
  );
  try {
    await here.tool("index_source", { source: where.root });
    let cases = 0;
    for (const way of waysOut(where)) {
      for (const call of callsWith(way)) {
        expectNothing(`${call[0]} ${JSON.stringify(call[1])}`, await said(here, call));
        cases += 1;
      }
      // A caller limited to some folders indexes no other.
      const refused = await said(here, [
        "index_source",
        { source: join(where.root, way), wait_ms: 0 },
      ]);
      expect(refused).not.toContain(`"source":"${join(where.base, "outside")}`);
      cases += 1;
    }
    // The calls in between have not added anything to the index either.
    for (const pattern of [CANARY, "."]) {
      const call: Call = ["search_text", { pattern, regex: true, limit: 500 }];
      expect((await said(here, call)).replaceAll(`\\"${CANARY}\\"`, "")).not.toContain(CANARY);
    }
    return cases;
  } finally {
    await here.dispose();
  }
});

promise(
  [27],
  "no path over REST or at the shell shows anything from outside a source",
  async () => {
    const where = place();
    const here = createProject({}, { onDisk: true, workspace: () => where.root });
    const shell = createMachine({ "src/a.ts": INSIDE });
    try {
      await here.tool("index_source", { source: where.root });
      symlinkSync(join(where.base, "outside"), join(shell.root, "folder"));
      symlinkSync(join(where.base, "outside/a.ts"), join(shell.root, "link.ts"));
      let cases = 0;
      for (const way of waysOut(where)) {
        const question = parseRestQuery({ query: "export const", path: way, detail: "full" });
        const answer = await here.engine.search({ ...question, ...request() }).catch(String);
        const text = typeof answer === "string" ? answer : JSON.stringify(searchRecord("", answer));
        expectNothing(`rest ${way}`, text);
        cases += 1;
      }
      const ways = waysOut(where).filter((way) => !way.includes("\0"));
      for (const way of ways.slice(0, sized({ quick: 2, full: 16, soak: ways.length }))) {
        for (const words of [
          ["outline", "--", way],
          ["refs", "--", `${way}:1`],
          ["grep", "--path", way, "export"],
          ["search", "--path", way, "export const"],
        ]) {
          const { out, err } = await shell.svc(...words);
          expectNothing(words.join(" "), out + err);
          cases += 1;
        }
      }
      return cases;
    } finally {
      shell.dispose();
      await here.dispose();
    }
  },
);

/** Swaps two entries by renaming, until it is stopped. */
const RACER = `
  import { mkdirSync, renameSync, symlinkSync } from "node:fs";
  const [root, name, target] = process.argv.slice(1);
  symlinkSync(target, root + "/.other-" + name);
  process.on("message", () => process.disconnect());
  process.send("ready");
  const turn = () => {
    if (!process.connected) return;
    for (let n = 0; n < 20; n++) {
      renameSync(root + "/" + name, root + "/.spare-" + name);
      renameSync(root + "/.other-" + name, root + "/" + name);
      renameSync(root + "/.spare-" + name, root + "/.other-" + name);
    }
    setImmediate(turn);
  };
  turn();
`;

async function race(root: string, name: string, target: string): Promise<ChildProcess> {
  const racer = spawn(process.execPath, ["--input-type=module", "-e", RACER, root, name, target], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  await new Promise((resolve) => racer.once("message", resolve));
  return racer;
}

async function ended(racer: ChildProcess): Promise<void> {
  const end = new Promise((resolve) => racer.once("exit", resolve));
  racer.send("stop");
  await end;
}

function questionsAbout(path: string): readonly Call[] {
  return [
    ["read_context", { targets: [path] }],
    ["outline", { path }],
    ["find_related", { target: path }],
    ["find_references", { symbol: `${path}:1` }],
    ["search_text", { pattern: "export (function|const) \\w+", regex: true, path }],
    ["search_context", { query: "export inside", path }],
  ];
}

promise([27], "links replaced during a query show nothing from outside a source", async () => {
  const where = place();
  const here = createProject({}, { onDisk: true, workspace: () => where.root });
  await here.tool("index_source", { source: where.root });
  const racers = [
    await race(where.root, "swap", join(where.base, "outside")),
    await race(where.root, "swapped.ts", join(where.base, "outside/a.ts")),
  ];
  const calls = ["swap/a.ts", "swapped.ts"].flatMap((path) =>
    questionsAbout(path).map((call) => [call, path] as const),
  );
  let cases = 0;
  let shown = 0;
  try {
    const rounds = sized({ quick: 40, full: 1150, soak: 6900 });
    for (let round = 0; round < rounds; round += 1) {
      for (const [call, path] of calls) {
        const text = await said(here, call);
        expectNothing(`${call[0]} of ${path}`, text);
        if (text.includes("inside")) shown += 1;
        cases += 1;
      }
      if (cases % 120 === 0) await here.tool("index_source", { source: where.root });
    }
  } finally {
    await Promise.all(racers.map(ended));
  }
  try {
    await here.tool("index_source", { source: where.root });
    const all: Call = ["search_text", { pattern: ".", regex: true, limit: 500 }];
    expectNothing("the index", await said(here, all));
    expect(shown).toBeGreaterThan(0);
    return cases;
  } finally {
    await here.dispose();
  }
});
