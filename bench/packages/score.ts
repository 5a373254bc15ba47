// node bench/packages/score.ts --mirrors DIR [--cache DIR] [--only NAME,...] [--show N]
// Counts the uses of a library in another project that svc resolves to the library's definitions, and the right ones
// among those that it marks as exact: see README.md.
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { PACKAGES_NOTE } from "../../src/engine/indexing/package-notes.ts";
import { LinkedGraph } from "../../src/graph/linked/linked-graph.ts";
import { LinkedProjects, type LinkedProject } from "../../src/graph/linked/linked-projects.ts";
import { encodeEntries, PackageFacts } from "../../src/graph/packages/package-facts.ts";
import type { SymbolHit } from "../../src/index/port.ts";
import { mirrorDirectory } from "../quality/mirror.ts";
import { installTool, writeTree } from "../references/checkout.ts";
import { isDefinitionAt, openProject } from "../references/project.ts";
import { PAIRS, type Pair, type Tree } from "./pairs.ts";

const { values } = parseArgs({
  options: {
    mirrors: { type: "string", default: process.env["SVC_BENCH_MIRRORS"] ?? "" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-packages") },
    only: { type: "string", default: PAIRS.map(({ name }) => name).join(",") },
    show: { type: "string", default: "0" },
  },
});

interface Edge {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** "path:line" of the name of the definition in the library. */
  readonly target: string;
  /** More places of the same definition: overloads, declarations. */
  readonly also?: readonly string[];
}

interface Opened extends LinkedProject {
  readonly close: () => void;
}

function folderOf(tree: Tree): string {
  if ("npm" in tree) {
    const folder = join(values.cache, "trees", tree.npm);
    if (!existsSync(folder)) {
      mkdirSync(folder, { recursive: true });
      cpSync(installTool(tree.npm, values.cache), folder, { recursive: true });
    }
    return folder;
  }
  const { github, commit } = tree;
  const folder = join(values.cache, "trees", `${github.replace("/", "+")}-${commit.slice(0, 10)}`);
  if (!existsSync(folder)) writeTree(mirrorDirectory(values.mirrors, github), commit, folder);
  return folder;
}

async function openTree(name: string, tree: Tree): Promise<Opened> {
  const root = folderOf(tree);
  const data = join(values.cache, "indexes", `${name}-${process.pid}`);
  mkdirSync(data, { recursive: true });
  const { reader, close } = await openProject(root, data);
  const readFile = (path: string): string | undefined => {
    const file = join(root, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  };
  const own = new PackageFacts((await reader.note(PACKAGES_NOTE)) ?? "");
  // The work tree has no tags, because it is not a repository.
  const tag = "npm" in tree ? undefined : tree.tag;
  const packages =
    tag === undefined
      ? own
      : new PackageFacts(`${encodeEntries([], new Map([["", tag]]))}${await noteOf(reader)}`);
  return { name, reader, packages, readFile, close };
}

async function noteOf(reader: Opened["reader"]): Promise<string> {
  return (await reader.note("packages-1"))?.replace(/^packages\n/, "") ?? "";
}

/** Build folders and declaration extensions do not distinguish definitions. */
function plain(place: string): string {
  const [path = ""] = place.split(":");
  return path.replace(/^(?:lib|libcjs|libesm|dist|src)\//, "").replace(/(?:\.d)?\.[cm]?[jt]s$/, "");
}

function truthOf({ name }: Pair): readonly Edge[] {
  const text = readFileSync(join(import.meta.dirname, "truth", `${name}.jsonl`), "utf8");
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the oracles write this form
  return JSON.parse(`[${text.trim().replaceAll("\n", ",")}]`) as readonly Edge[];
}

/** A use of the library that svc marks as exact. */
interface ExactUse {
  readonly place: string;
  readonly name: string;
  readonly targets: readonly SymbolHit[];
  readonly isSameVersion: boolean;
}

async function* exactUses(
  pair: Pair,
  projects: LinkedProjects,
  graph: LinkedGraph,
): AsyncGenerator<ExactUse> {
  for (const file of projects.filesOf("user")) {
    if (!file.startsWith(`user/${pair.within ?? ""}`)) continue;
    for (const { line, name, targets, certainty } of await graph.usesFromFile(file)) {
      const [target] = targets;
      if (certainty !== "exact" || target?.path.startsWith("library/") !== true) continue;
      const isSameVersion = graph.versionBetween(target.path, file) === "";
      yield { place: `${file.slice("user/".length)}:${line}`, name, targets, isSameVersion };
    }
  }
}

/** The edges of a line that match a use. */
async function meantBy(
  { name, targets }: ExactUse,
  edges: readonly Edge[],
  library: Opened,
): Promise<readonly Edge[]> {
  const isMeant = await Promise.all(
    edges.map(async (edge) => {
      const same = await Promise.all(targets.map((one) => isSame(library, edge, name, one)));
      return same.some(Boolean);
    }),
  );
  return edges.filter((_edge, at) => isMeant[at]);
}

async function score(pair: Pair) {
  const library = await openTree("library", pair.library);
  const user = await openTree("user", pair.user);
  try {
    const projects = await LinkedProjects.open([library, user]);
    const packages = new Map([library, user].map((one) => [one.name, one.packages]));
    const graph = new LinkedGraph(projects, packages);
    const truth = truthOf(pair);
    const byLine = Map.groupBy(truth, ({ path, line }) => `${path}:${line}`);
    const found = new Set<Edge>();
    const wrong: string[] = [];
    let [right, open, versions] = [0, 0, 0];
    for await (const use of exactUses(pair, projects, graph)) {
      if (!use.isSameVersion) versions += 1;
      const edges = byLine.get(use.place) ?? [];
      const meant = await meantBy(use, edges, library);
      for (const edge of meant) found.add(edge);
      if (meant.length > 0) right += 1;
      // The oracle knows no definition of the library for the name there.
      else if (!edges.some(({ name }) => name === use.name)) open += 1;
      else wrong.push(wrongText(use, edges));
    }
    // Overloads and declarations of one definition are one use.
    const uses = Map.groupBy(truth, ({ path, line, name, target }) =>
      /\.d\.[cm]?ts:/.test(target)
        ? `${path}:${line} ${name}`
        : `${path}:${line} ${name} ${target}`,
    );
    const missed = [...uses].filter(([, edges]) => !edges.some((edge) => found.has(edge)));
    for (const one of wrong.slice(0, Number(values.show))) console.error(`wrong  ${one}`);
    for (const [key] of missed.slice(0, Number(values.show))) console.error(`missed ${key}`);
    return {
      pair: pair.name,
      files: new Set(truth.map(({ path }) => path)).size,
      uses: uses.size,
      "exact: precision": ratio(right, right + wrong.length),
      open,
      recall: ratio(uses.size - missed.length, uses.size),
      "other version": versions,
    };
  } finally {
    library.close();
    user.close();
  }
}

function wrongText({ place, name, targets }: ExactUse, edges: readonly Edge[]): string {
  const own = targets.map(({ path, nameLine }) => `${path}:${nameLine}`).join(" ");
  const known = edges.map((edge) => `${edge.name} ${edge.target}`).join(", ");
  return `${place} ${name} -> ${own} (truth: ${known || "none"})`;
}

/**
 * A definition is the same on the same line or, in JavaScript, under the same name in the source of a declaration.
 * Overloads are one definition.
 */
async function isSame(
  library: Opened,
  { target, also = [], name }: Edge,
  used: string,
  symbol: SymbolHit,
): Promise<boolean> {
  const own = { ...symbol, path: symbol.path.slice("library/".length) };
  for (const place of [target, ...also]) {
    const [path = "", line] = place.split(":");
    if (path === own.path && Number(line) === own.nameLine) return true;
    const meant = { path, line: Number(line), name: own.name };
    // oxlint-disable-next-line no-await-in-loop -- in memory
    if (name === own.name && (await isDefinitionAt(library, own, meant))) return true;
  }
  const place = `${own.path}:${own.nameLine}`;
  return name === used && /\.[cm]?[jt]s:/.test(target) && plain(target) === plain(place);
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? Number.NaN : Math.round((1000 * part) / whole) / 1000;
}

const rows = [];
for (const pair of PAIRS.filter(({ name }) => values.only.split(",").includes(name))) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  rows.push(await score(pair));
}
console.table(rows);
