// Joins chunks that a start loads together into one script. V8 then reads one code cache instead of twenty, which halves
// the time.

import path from "node:path";

interface Group {
  readonly leader: string;
  readonly after: readonly string[];
}

/** The part of esbuild's metafile that is read. */
interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly entryPoint?: string | undefined;
        readonly imports: readonly { readonly kind: string; readonly path: string }[];
      }
    >
  >;
}

/**
 * Sources of the chunks that lead a group: a group is the leader with all that it imports statically, less what the
 * groups in `after`, which are always loaded first, have already. Others would save as much, but the program holds the
 * chunks of a group twice.
 */
const GROUPS: readonly Group[] = [
  { leader: "src/main.ts", after: [] },
  { leader: "src/cli/commands/mcp.ts", after: ["src/main.ts"] },
];

/**
 * Returns the text of each chunk: of a leader the list of the names and texts of its group, of each other its own text,
 * because other threads load it alone. `chunks` is text by name.
 */
export function grouped(
  chunks: ReadonlyMap<string, string>,
  { outputs }: Metafile,
): ReadonlyMap<string, string> {
  const imports = new Map<string, readonly string[]>();
  const entries = new Map<string, string>();
  for (const [file, { entryPoint, imports: all }] of Object.entries(outputs)) {
    const fixed = all.filter(({ kind }) => kind === "import-statement");
    const names = fixed.map((one) => nameOf(one.path)).filter((name) => chunks.has(name));
    imports.set(nameOf(file), names);
    if (entryPoint !== undefined) entries.set(entryPoint, nameOf(file));
  }
  const entry = (source: string): string => {
    const name = entries.get(source);
    if (name === undefined) throw new Error(`${source} is no entry of a chunk`);
    return name;
  };
  const texts = new Map(chunks);
  for (const { leader, after } of GROUPS) {
    const loaded = new Set(after.flatMap((source) => [...reachable(entry(source), imports)]));
    const members = [...reachable(entry(leader), imports)].filter((name) => !loaded.has(name));
    const list = members.map((name) => `[${JSON.stringify(name)},${chunks.get(name) ?? ""}]`);
    texts.set(entry(leader), `[${list.join(",\n")}]`);
  }
  return texts;
}

function nameOf(file: string): string {
  return path.basename(file, ".js");
}

/** The chunk and all that it imports, directly or not. */
function reachable(
  name: string,
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set([name]);
  for (const one of found) for (const other of imports.get(one) ?? []) found.add(other);
  return found;
}
