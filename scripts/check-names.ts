// Fails when two files of src/ export one name, unless ALLOWED says that both mean the same at different
// layers, and when a limit in src/, test/, bench/ or scripts/ is not called MAX_ or MIN_.
import { globSync, readFileSync } from "node:fs";
import path from "node:path";

/** Names that several files export with one meaning, and why. */
const ALLOWED: Readonly<Record<string, string>> = {
  command: "src/cli/commands.ts loads the one command that each of these files defines",
  searchText: "the MCP tool, and the function of the engine that it calls",
  setMonitor: "the MCP tool, and the function of the engine that it calls",
  analyzeImpact: "the MCP tool, and the function of the engine that it calls",
  findReferences: "the MCP tool, and the function of the engine that it calls",
  findRelated: "the MCP tool, and the function of the engine that it calls",
  FILE_KINDS: "the search page is a separate program and imports nothing from the server",
  SearchResult: "the search page is a separate program and imports nothing from the server",
};

const EXPORT =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|class|const|let|interface|type|enum) +(?<name>[A-Za-z_$][\w$]*)/gm;
const LIMIT =
  /^\s*(?:export )?(?:const|let) +(?<name>(?:MOST|LEAST|FEWEST|LONGEST|SHORTEST|LARGEST|SMALLEST|MAXIMUM|MINIMUM)(?:_[A-Z0-9_]+)?)\b/gm;
const EXPORTING = /^src\//;

/** The problems with the names of `files`, which maps a path below the root to its text. */
export function nameProblems(files: ReadonlyMap<string, string>): readonly string[] {
  const exporters = new Map<string, string[]>();
  const problems: string[] = [];
  for (const [file, text] of files) {
    for (const name of EXPORTING.test(file) ? namesIn(text, EXPORT) : []) {
      exporters.set(name, [...(exporters.get(name) ?? []), file]);
    }
    for (const name of namesIn(text, LIMIT)) {
      problems.push(`${file}: ${name} is a limit: begin it with MAX_ or MIN_`);
    }
  }
  for (const [name, from] of exporters) {
    if (from.length < 2 || name in ALLOWED) continue;
    problems.push(`${name} is exported by ${from.join(" and ")}: give each its own name`);
  }
  for (const name of Object.keys(ALLOWED)) {
    if ((exporters.get(name)?.length ?? 0) < 2)
      problems.push(`only one file exports ${name}: remove it from ALLOWED`);
  }
  return problems;
}

function namesIn(text: string, pattern: RegExp): ReadonlySet<string> {
  return new Set([...text.matchAll(pattern)].map(({ groups }) => groups?.["name"] ?? ""));
}

if (import.meta.main) {
  const root = path.join(import.meta.dirname, "..");
  const names = globSync("{src,test,bench,scripts}/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".d.ts"),
  );
  const files = new Map(
    names
      .toSorted()
      .map((file) => [file.split(path.sep).join("/"), readFileSync(path.join(root, file), "utf8")]),
  );
  const problems = nameProblems(files);
  for (const problem of problems) console.log(problem);
  if (problems.length > 0) process.exitCode = 1;
}
