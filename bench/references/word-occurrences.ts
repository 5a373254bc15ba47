// node bench/references/word-occurrences.ts --root DIR [--language dart|zig|lua] [--cache DIR] [--edges N] [--names N]
//   [--only open|named|all] [--seed TEXT] [--generated] [--single]
// Random exact edges of svc in a project, and random places in its code at which a name of one of its definitions is, with what
// svc says about each, to be judged by reading. The places are found without the code of svc: by words outside of comments,
// strings and directives. The selection is the same in every run. `--single`: only names with one definition in the language.
import { mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { openProject, type Project } from "./project.ts";
import { shuffled } from "./sample.ts";

interface Place {
  readonly path: string;
  readonly line: number;
  readonly name: string;
}

interface Edge extends Place {
  readonly targets: readonly string[];
  readonly certainty: string;
}

const { values } = parseArgs({
  options: {
    root: { type: "string", default: "." },
    language: { type: "string", default: "dart" },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    edges: { type: "string", default: "150" },
    names: { type: "string", default: "150" },
    only: { type: "string", default: "all" },
    seed: { type: "string", default: "1" },
    generated: { type: "boolean", default: false },
    single: { type: "boolean", default: false },
  },
});
const { root, language } = values;
const seed = `${language}-${values.seed}`;
/** Comments, strings and directives by language. */
const NO_CODE: Readonly<Record<string, RegExp>> = {
  dart: /\/\/[^\n]*|\/\*[^]*?\*\/|r?'''[^]*?'''|r?"""[^]*?"""|r?'(?:\\.|[^'\\\n])*'|r?"(?:\\.|[^"\\\n])*"|^(?:import|export|part|library)\b[^;]*;/gm,
  csharp:
    /\/\/[^\n]*|\/\*[^]*?\*\/|^\s*(?:using|namespace)\b[^;(]*;|^\s*#[^\n]*|@"(?:""|[^"])*"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gm,
  go: /\/\/[^\n]*|\/\*[^]*?\*\/|`[^`]*`|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^package\b[^\n]*/gm,
  python:
    /#[^\n]*|"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|^\s*from\s+[\w.]+/gm,
  rust: /\/\/[^\n]*|\/\*[^]*?\*\/|r(#+)"[^]*?"\1|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\\n])'/g,
  typescript: /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
  tsx: /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
  zig: /\/\/[^\n]*|^\s*\\\\[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/gm,
  lua: /--\[(=*)\[[^]*?\]\1\]|--[^\n]*|\[(=*)\[[^]*?\]\2\]|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
};
const ignored = NO_CODE[language] ?? /(?!)/g;
/** Generated code has many uses of one kind. */
const GENERATED =
  /\.(?:g|freezed|mocks|drift|pb|pbenum|jnigen|gr)\.dart$|jni_bindings|_bindings\.dart$/;
const WORD = /(?<![\w$])[A-Za-z_]\w*/g;
const dataDirectory = join(values.cache, "indexes", `${language}-${process.pid}`);
mkdirSync(dataDirectory, { recursive: true });
const project = await openProject(root, dataDirectory);
const { edges, places } = await readAll(project);
project.close();

const exact = edges.filter(({ certainty }) => certainty === "exact");
const byPlace = Map.groupBy(edges, keyOf);
const states = places.map((place) => ({ place, found: byPlace.get(keyOf(place)) ?? [] }));
const isExact = ({ found }: (typeof states)[number]): boolean =>
  found.some(({ certainty }) => certainty === "exact");
const known = states.filter(isExact).length;
console.log(
  `${exact.length} exact edges; ${known} of ${states.length} places with a name are exact`,
);
console.log(`\n${values.edges} exact edges`);
for (const edge of shuffled(exact, `${seed}-edges`).slice(0, Number(values.edges)))
  show(edge, edge.targets);
const wanted = states.filter((one) => {
  if (values.only === "all") return true;
  return !isExact(one) && (values.only === "open" || one.found.length > 0);
});
console.log(`\n${values.names} places`);
for (const { place, found } of shuffled(wanted, `${seed}-names`).slice(0, Number(values.names))) {
  const says = found.map(
    ({ certainty, targets }) => `${certainty} ${targets.slice(0, 2).join(" ")}`,
  );
  show(place, says.length === 0 ? ["nothing"] : says);
}

function keyOf({ path, line, name }: Place): string {
  return `${path}:${line}:${name}`;
}

function show({ path, line, name }: Place, says: readonly string[]): void {
  console.log(`${name} ${path}:${line} | ${lineOf(path, line)} | ${says.join("; ")}`);
}

function lineOf(path: string, line: number): string {
  return (readFileSync(join(root, path), "utf8").split("\n")[line - 1] ?? "").trim();
}

async function readAll({
  reader,
  graph,
}: Project): Promise<{ readonly edges: readonly Edge[]; readonly places: readonly Place[] }> {
  const found: Edge[] = [];
  const counts = new Map<string, number>();
  const definitions = new Set<string>();
  const paths: string[] = [];
  for await (const file of reader.textCandidates({ kind: "all" }, {})) {
    if (file.language !== language) continue;
    if (!values.generated && GENERATED.test(file.path)) continue;
    paths.push(file.path);
    for (const { name, nameLine } of await reader.symbolsOf(file.path)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      definitions.add(keyOf({ path: file.path, line: nameLine, name }));
    }
    for (const { name, line, targets, certainty } of await graph.usesFromFile(file.path)) {
      const at = targets.map(
        ({ path, nameLine, qualifiedName }) => `${qualifiedName} ${path}:${nameLine}`,
      );
      found.push({ path: file.path, line, name, targets: at, certainty });
    }
  }
  const inText = paths.flatMap((path) =>
    wordsIn(readFileSync(join(root, path), "utf8"))
      .filter(({ name }) => isWanted(counts.get(name)))
      .map((one) => ({ ...one, path })),
  );
  return { edges: found, places: inText.filter((place) => !definitions.has(keyOf(place))) };
}

function isWanted(count = 0): boolean {
  return values.single ? count === 1 : count > 0;
}

/** The words of a text outside of comments, strings and directives, each once a line. */
function wordsIn(text: string): readonly Omit<Place, "path">[] {
  const bare = text.replace(ignored, (one) => one.replace(/[^\n]/g, " "));
  return bare.split("\n").flatMap((line, at) =>
    [...new Set([...line.matchAll(WORD)].map(([name]) => name))].map((name) => ({
      name,
      line: at + 1,
    })),
  );
}
