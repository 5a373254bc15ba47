import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "./memory-index.ts";

/** Users of a definition: "path:line role" for exact edges, with "?" after those by name. */
type UsersOf = (
  qualifiedName: string,
  where?: string | { readonly path?: string; readonly kind?: string },
) => Promise<readonly string[]>;

/** A project with these files. */
export async function usersIn(files: Readonly<Record<string, string>>): Promise<UsersOf> {
  const reader = await memoryIndex(files);
  const graph = await ReferenceGraph.open(reader, (path) => files[path]);
  return async (qualifiedName, where = {}) => {
    const { path, kind } = typeof where === "string" ? { path: where, kind: undefined } : where;
    const name = qualifiedName.split(".").at(-1) ?? "";
    const symbol = (await reader.symbolsNamed(name, 50)).find(
      (one) =>
        one.qualifiedName === qualifiedName &&
        (path === undefined || one.path === path) &&
        (kind === undefined || one.kind === kind),
    );
    if (symbol === undefined) throw new Error(`no ${qualifiedName}`);
    return (await graph.referencesTo(symbol)).map(
      (one) => `${one.path}:${one.line} ${one.role}${one.certainty === "exact" ? "" : " ?"}`,
    );
  };
}
