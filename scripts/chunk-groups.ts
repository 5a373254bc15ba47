// Joins chunks that a start loads together into one script. V8 then reads one code cache instead of twenty, which takes
// half the time.

import path from "node:path";

import { elsewhere } from "../src/base/chunk-source.ts";

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
 * Sources of the chunks whose start is one script: the leader with everything that it imports statically, except chunks
 * that the groups in `after`, which always load first, already contain. The program holds these chunks twice, because
 * threads load some of them too.
 */
const WHOLE: readonly Group[] = [
  { leader: "src/main.ts", after: [] },
  { leader: "src/cli/commands/mcp.ts", after: ["src/main.ts"] },
];

/**
 * Starts that share chunks: in the main thread, the parts of a session; and the threads. Chunks that exactly the same
 * of these starts load are one script, so that none of them loads what it does not use, and the program holds them once.
 */
const SHARED: readonly Group[] = [
  { leader: "src/credentials/sealed/open-store.ts", after: ["src/main.ts"] },
  { leader: "src/tools/definitions.ts", after: ["src/main.ts"] },
  { leader: "src/engine/create-engine.ts", after: ["src/main.ts"] },
  { leader: "src/engine/query-service.ts", after: ["src/main.ts"] },
  { leader: "src/engine/indexing/index-worker.ts", after: [] },
  { leader: "src/index/embedded/writer.ts", after: [] },
  // The code that an index run loads once a file has changed.
  { leader: "src/chunk/chunk.ts", after: [] },
  { leader: "src/engine/packed-grammars.ts", after: [] },
  { leader: "src/engine/indexing/parse-worker.ts", after: [] },
  { leader: "src/engine/passages/search-worker.ts", after: [] },
  { leader: "src/engine/watching/watch-worker.ts", after: [] },
];

/**
 * Returns the text of each chunk: its own, or a list of the names and texts of chunks that are loaded with it, or the
 * name of another one whose list has it. `chunks` is text by name.
 */
export function grouped(
  chunks: ReadonlyMap<string, string>,
  metafile: Metafile,
): ReadonlyMap<string, string> {
  const membersOf = membersIn(chunks, metafile);
  const texts = new Map(chunks);
  const joined = (members: readonly string[]): string =>
    `[${members.map((name) => `[${JSON.stringify(name)},${chunks.get(name) ?? ""}]`).join(",\n")}]`;

  const starts = new Map<string, readonly number[]>();
  for (const [start, group] of SHARED.entries()) {
    for (const name of membersOf(group)) starts.set(name, [...(starts.get(name) ?? []), start]);
  }
  for (const members of Map.groupBy(starts.keys(), (name) => starts.get(name)?.join()).values()) {
    const [first, ...others] = members.toSorted();
    if (first === undefined || others.length === 0) continue;
    texts.set(first, joined([first, ...others]));
    for (const name of others) texts.set(name, elsewhere(first));
  }
  for (const group of WHOLE) {
    const members = membersOf(group);
    texts.set(members[0] ?? "", joined(members));
  }
  return texts;
}

/** Returns a function that lists the chunks of a group, the leader first. Throws an Error for a missing leader. */
function membersIn(
  chunks: ReadonlyMap<string, string>,
  { outputs }: Metafile,
): (group: Group) => readonly string[] {
  const imports = new Map<string, readonly string[]>();
  const entries = new Map<string, string>();
  for (const [file, { entryPoint, imports: all }] of Object.entries(outputs)) {
    const fixed = all.filter(({ kind }) => kind === "import-statement");
    const names = fixed.map((one) => nameOf(one.path)).filter((name) => chunks.has(name));
    imports.set(nameOf(file), names);
    if (entryPoint !== undefined) entries.set(entryPoint, nameOf(file));
  }
  const startOf = (source: string): ReadonlySet<string> => {
    const name = entries.get(source);
    if (name === undefined) throw new Error(`${source} is no entry of a chunk`);
    return reachable(name, imports);
  };
  return ({ leader, after }) => {
    const loaded = new Set(after.flatMap((source) => [...startOf(source)]));
    return [...startOf(leader)].filter((name) => !loaded.has(name));
  };
}

function nameOf(file: string): string {
  return path.basename(file, ".js");
}

/** The chunk and everything that it imports, directly or indirectly. */
function reachable(
  name: string,
  imports: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const found = new Set([name]);
  for (const one of found) for (const other of imports.get(one) ?? []) found.add(other);
  return found;
}
