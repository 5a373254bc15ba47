// node bench/references/style-occurrences.ts --root DIR [--cache DIR] [--edges N] [--seed TEXT] [--unresolved]
// Random references of svc to what style sheets define, to be judged by reading: those that are exact, and those by name. With
// --unresolved, random names that svc reads as uses and to which it finds no definition. The selection is the same in every run.
import { mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { isStyleUse } from "../../src/base/style-names.ts";
import { openProject, type Project } from "./project.ts";
import { shuffled } from "./sample.ts";

interface Edge {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly targets: readonly string[];
  readonly certainty: string;
}

const { values } = parseArgs({
  options: {
    root: { type: "string", default: "." },
    cache: { type: "string", default: join(tmpdir(), "svc-bench-references") },
    edges: { type: "string", default: "30" },
    seed: { type: "string", default: "styles-1" },
    unresolved: { type: "boolean", default: false },
  },
});
const dataDirectory = join(values.cache, "indexes", `styles-${process.pid}`);
mkdirSync(dataDirectory, { recursive: true });
const project = await openProject(values.root, dataDirectory);
const edges = await readAll(project);
project.close();
const kinds = values.unresolved ? ["none"] : ["exact", "exact in markup", "name"];
const counts = ["exact", "name", "none"].map(
  (certainty) => edges.filter((one) => one.certainty === certainty).length,
);
console.log(
  `${counts[0]} exact references, ${counts[1]} by name, ${counts[2]} names without a definition`,
);
for (const kind of kinds) {
  console.log();
  const some = edges.filter((edge) => kindOf(edge) === kind);
  for (const edge of shuffled(some, values.seed).slice(0, Number(values.edges))) show(edge);
}

/** Most exact references are those of rules to others in their own style sheet. */
function kindOf({ certainty, path }: Edge): string {
  return certainty === "exact" && !/\.(?:css|scss|sass|less)$/.test(path)
    ? "exact in markup"
    : certainty;
}

function show({ path, line, name, targets, certainty }: Edge): void {
  const text = (readFileSync(join(values.root, path), "utf8").split("\n")[line - 1] ?? "").trim();
  const at = text.indexOf(name.slice(1));
  const part = text.slice(Math.max(0, at - 100), at + 100);
  console.log(`${certainty} ${name} ${path}:${line} | ${part} | ${targets.slice(0, 4).join("; ")}`);
}

async function readAll({ reader, graph }: Project): Promise<readonly Edge[]> {
  const found: Edge[] = [];
  for await (const { path } of reader.textCandidates({ kind: "all" }, {})) {
    const { uses } = await reader.referencesOf(path);
    const wanted = new Set(uses.filter(isStyleUse).map(({ name, line }) => `${line} ${name}`));
    if (wanted.size === 0) continue;
    for (const { name, line, targets, certainty } of await graph.usesFromFile(path)) {
      if (!wanted.delete(`${line} ${name}`)) continue;
      const at = targets.map((one) => `${one.path}:${one.nameLine}`);
      found.push({ path, line, name, targets: at, certainty });
    }
    for (const rest of wanted) {
      const [line = "", name = ""] = rest.split(" ");
      found.push({ path, line: Number(line), name, targets: [], certainty: "none" });
    }
  }
  return found;
}
