import { ReferenceGraph } from "../../src/graph/reference-graph.ts";
import { memoryIndex } from "./memory-index.ts";

/**
 * Users of a definition: "path:line role" for exact edges, with "?" after those by name. `at`: which one of several.
 */
type UsersOf = (
  qualifiedName: string,
  where?: string | { readonly path?: string; readonly kind?: string; readonly at?: number },
) => Promise<readonly string[]>;

/** A project with these files. */
export async function usersIn(files: Readonly<Record<string, string>>): Promise<UsersOf> {
  const reader = await memoryIndex(files);
  const graph = await ReferenceGraph.open(reader, (path) => files[path]);
  return async (qualifiedName, where = {}) => {
    const given = typeof where === "string" ? { path: where } : where;
    const { path, kind, at = 0 }: Exclude<Parameters<UsersOf>[1], string | undefined> = given;
    const name = qualifiedName.split(".").at(-1) ?? "";
    const inFull = await reader.symbolsNamed(qualifiedName, 50);
    const symbol = [...inFull, ...(await reader.symbolsNamed(name, 50))].filter(
      (one) =>
        one.qualifiedName === qualifiedName &&
        (path === undefined || one.path === path) &&
        (kind === undefined || one.kind === kind),
    )[at];
    if (symbol === undefined) throw new Error(`no ${qualifiedName}`);
    return (await graph.referencesTo(symbol)).map(
      (one) => `${one.path}:${one.line} ${one.role}${one.certainty === "exact" ? "" : " ?"}`,
    );
  };
}
