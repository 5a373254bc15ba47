// Fails when a file under src/ uses something that scripts/layers.ts does not allow in its layer.
import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";

import {
  GUARDS,
  LAYERS,
  LISTENING,
  LISTENING_FILES,
  OPENING,
  RESERVED,
  SYSTEM_READERS,
  TREE_LAYERS,
} from "./layers.ts";

export interface Violation {
  /** Path from the root of the project, with `/`. */
  readonly file: string;
  readonly line: number;
  readonly problem: string;
}

/** Every breach in the TypeScript files below `root`/src, in the order of the files. */
export function findViolations(root: string): Violation[] {
  const files = globSync("src/**/*.ts", { cwd: root })
    .map((file) => file.split(sep).join("/"))
    .toSorted();
  return files.flatMap((file) => violationsIn(file, readFileSync(join(root, file), "utf8")));
}

// The clause is everything between the keyword and `from`: names, braces and line breaks.
const STATEMENT =
  /(?:^|[\n;])[ \t]*(?:import|export)(?<type>\s+type(?=\s+[\w$*{]))?\b(?<names>[^"';]*?)\bfrom\s*["'](?<from>[^"']+)["']/g;
const BARE = /(?:^|[\n;])[ \t]*import\s*["'](?<from>[^"']+)["']/g;
const CALL = /\bimport\s*\(\s*(?:\/\*.*?\*\/\s*)?(?:["'](?<from>[^"']+)["'])?/g;
/** Files that are loaded elsewhere by name: workers. */
const FILE_URL = /\bnew\s+URL\s*\(\s*["'](?<from>\.[^"']+\.ts)["']/g;
const HIDDEN = /\bgetBuiltinModule\s*\(|(?<![.\w])require\s*\(/g;
const DIALS =
  /(?<![.\w$"'`])fetch\s*(?:\(|(?=[;,)}\]]))|\bglobalThis(?:\.fetch\b|\[)|(?<![.\w$"'`])(?:new\s+)?(?:WebSocket|EventSource)\b/g;

/** The import of a statement: `names` as written, `type` if it begins with that word. */
type Clause = Readonly<Record<string, string | undefined>>;

function violationsIn(file: string, text: string): Violation[] {
  const layer = layerOf(file);
  const rule = LAYERS[layer];
  if (rule === undefined) return [violation(file, 1, `"${layer}" is not in the table`)];
  const found: Violation[] = [];
  const report = (match: RegExpExecArray, problem: string | undefined): void => {
    const start = match.index + (match[0].length - match[0].trimStart().length);
    if (problem === undefined || isComment(text, start)) return;
    found.push(violation(file, text.slice(0, start).split("\n").length, problem));
  };
  for (const pattern of [STATEMENT, BARE, CALL, FILE_URL]) {
    for (const match of text.matchAll(pattern)) {
      const target = match.groups?.["from"];
      report(
        match,
        target === undefined
          ? `${layer} imports what is known only at run time, which cannot be checked`
          : problemOfImport(file, target, match.groups ?? {}),
      );
    }
  }
  for (const match of text.matchAll(HIDDEN)) {
    report(match, rule.loads ? undefined : `${layer} may not load modules by ${match[0]})`);
  }
  for (const match of text.matchAll(DIALS)) {
    report(match, rule.dials ? undefined : `${layer} may not open connections: ${match[0]}`);
  }
  return found.toSorted((a, b) => a.line - b.line);
}

function problemOfImport(file: string, target: string, clause: Clause): string | undefined {
  const isDialling = LAYERS[layerOf(file)]?.dials === true;
  return (
    problemWith(file, target, clause["type"] !== undefined) ??
    (isDialling ? undefined : dialling(file, target, clause)) ??
    opening(file, target, clause)
  );
}

function problemWith(file: string, target: string, isType: boolean): string | undefined {
  const layer = layerOf(file);
  const rule = LAYERS[layer] ?? {};
  const wanted = nameOf(file, target);
  if (wanted === layer) return undefined;
  const path = pathOf(file, target);
  if (!isType && isReserved(path, layer)) {
    return `${layer} may import types from ${target}, and nothing else`;
  }
  const ofFile = placesOf(below(file)).flatMap((place) => rule.files?.[place] ?? []);
  const values = [...(rule.values ?? []), ...ofFile];
  if ([wanted, path].some((name) => values.includes(name))) return undefined;
  const isKnownByType = rule.types?.includes(wanted) === true;
  if (isKnownByType && isType) return undefined;
  if (target.startsWith(".") && !(wanted in LAYERS)) {
    return `${layer} imports ${target}: "${wanted}" is not in the table`;
  }
  if (isKnownByType) return `${layer} may import types from ${wanted}, and nothing else`;
  return `${layer} may not import ${wanted}; it may import: ${listOf(values, rule.types)}`;
}

/** The clause of an import statement names all imports; without one, everything is imported. */
function dialling(file: string, target: string, { type, names }: Clause): string | undefined {
  if (LISTENING[target] === undefined || type !== undefined) return undefined;
  const listening = [...LISTENING[target], ...(LISTENING_FILES[below(file)]?.[target] ?? [])];
  const wrong = valuesIn(names).find((name) => !listening.includes(importedAs(name)));
  if (wrong === undefined) return undefined;
  return `${layerOf(file)} may not open connections: of ${target} it may take ${listening.join(", ")}, not ${wrong}`;
}

function opening(file: string, target: string, { type, names }: Clause): string | undefined {
  if (!/^node:fs(?:\/promises)?$/.test(target) || type !== undefined) return undefined;
  if (!TREE_LAYERS.includes(layerOf(file))) return undefined;
  if ([...GUARDS, ...SYSTEM_READERS].includes(below(file))) return undefined;
  const wrong = valuesIn(names).find((name) => name === "*" || OPENING.test(importedAs(name)));
  if (wrong === undefined) return undefined;
  return `${layerOf(file)} may not open files by ${wrong} of ${target}: ${GUARDS.join(", ")} do that for it`;
}

/** The values that the clause of an import statement names; "*" for all of them. */
function valuesIn(names: string | undefined): readonly string[] {
  const list = /^\s*\{(?<list>[^{}]*)\}\s*$/.exec(names ?? "")?.groups?.["list"]?.split(",");
  return (list ?? ["*"])
    .map((name) => name.trim())
    .filter((name) => name !== "" && !name.startsWith("type "));
}

/** `a` of `a as b`. */
function importedAs(name: string): string {
  return name.split(/\s+as\s+/)[0] ?? name;
}

function isReserved(path: string, layer: string): boolean {
  return placesOf(path).some((place) => RESERVED[place]?.includes(layer) === false);
}

/** The path itself and the folders that it is in. */
function placesOf(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, at) => names.slice(0, at + 1).join("/"));
}

function listOf(values: readonly string[], types: readonly string[] = []): string {
  return [...values, ...types.map((name) => `${name} (types)`)].join(", ") || "nothing";
}

/** The layer, package or built-in of an import specifier. */
function nameOf(file: string, target: string): string {
  if (target.startsWith(".")) return pathOf(file, target).split("/")[0] ?? target;
  if (target.startsWith("node:")) return target.split("/")[0] ?? target;
  return target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");
}

/** A relative specifier as a path below src/; any other unchanged. */
function pathOf(file: string, target: string): string {
  return target.startsWith(".") ? below(posix.join(posix.dirname(file), target)) : target;
}

/** The folder below src/, or the file itself if it is in none. */
function layerOf(file: string): string {
  return below(file).split("/")[0] ?? "";
}

function below(file: string): string {
  return posix.relative("src", file);
}

function isComment(text: string, at: number): boolean {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^\s*(?:\/\/|\/?\*)/.test(line) || /\s\/\/\s/.test(line);
}

function violation(file: string, line: number, problem: string): Violation {
  return { file, line, problem };
}

if (import.meta.main) {
  const breaches = findViolations(join(import.meta.dirname, ".."));
  for (const { file, line, problem } of breaches) console.error(`${file}:${line}: ${problem}`);
  if (breaches.length > 0) {
    console.error(
      "A new dependency between layers is a decision: see LAYERS in scripts/layers.ts.",
    );
    process.exitCode = 1;
  }
}
