// node bench/references/template-occurrences.ts --root DIR [--cache DIR] [--edges N] [--seed TEXT]
// Random references of svc from the templates of a project, to be judged by reading: those that are exact, and those by name.
// The selection is the same in every run.
import { mkdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

import { embeddedTemplates } from "../../src/parse/templates/embedded-templates.ts";
import { templateDialect } from "../../src/parse/templates/template-dialects.ts";
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
    seed: { type: "string", default: "templates-1" },
  },
});
const dataDirectory = join(values.cache, "indexes", `templates-${process.pid}`);
mkdirSync(dataDirectory, { recursive: true });
const project = await openProject(values.root, dataDirectory);
const { edges, files } = await readAll(project);
project.close();
const counts = ["exact", "name"].map((certainty) =>
  edges.filter((one) => one.certainty === certainty),
);
console.log(
  `${files} templates: ${counts[0]?.length} exact references, ${counts[1]?.length} by name`,
);
for (const some of counts) {
  console.log();
  for (const edge of shuffled(some, values.seed).slice(0, Number(values.edges))) show(edge);
}

function show({ path, line, name, targets, certainty }: Edge): void {
  const text = (readFileSync(join(values.root, path), "utf8").split("\n")[line - 1] ?? "").trim();
  console.log(
    `${certainty} ${name} ${path}:${line} | ${text.slice(0, 200)} | ${targets.join("; ")}`,
  );
}

async function readAll({
  reader,
  graph,
}: Project): Promise<{ readonly edges: readonly Edge[]; readonly files: number }> {
  const found: Edge[] = [];
  let templates = 0;
  for await (const { path, language } of reader.textCandidates({ kind: "all" }, {})) {
    const text = readFileSync(join(values.root, path), "utf8");
    const embedded = embeddedTemplates(text, language).map(({ start, end }) => ({
      from: text.slice(0, start).split("\n").length,
      to: text.slice(0, end).split("\n").length,
    }));
    const isTemplate = templateDialect(path, language, text) !== undefined;
    if (!isTemplate && embedded.length === 0) continue;
    templates += 1;
    for (const { name, line, targets, certainty } of await graph.usesFromFile(path)) {
      if (!isTemplate && !embedded.some(({ from, to }) => line >= from && line <= to)) continue;
      const at = targets.map((one) => `${one.qualifiedName} ${one.path}:${one.nameLine}`);
      found.push({ path, line, name, targets: at, certainty });
    }
  }
  return { edges: found, files: templates };
}
