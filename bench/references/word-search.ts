// What a search for the word finds (`rg -w`), for comparison: every line with the name, also in comments and strings.
import { compare, trueEdges, type Comparison, type FoundEdge } from "./comparison.ts";
import type { Truth } from "./truth.ts";

/** Without the lines of the definition and those that are not judged, as everywhere in this bench. */
export function wordSearch(
  truth: Truth,
  texts: ReadonlyMap<string, readonly string[]>,
): Comparison {
  const name = truth.name.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
  const word = new RegExp(`(?<![\\w$])${name}(?![\\w$])`);
  const left = new Set(
    truth.references
      .filter(({ isDefinition, isUnknown }) => isDefinition || isUnknown === true)
      .map(({ path, line }) => `${path}:${line}`),
  );
  const edges = trueEdges(truth);
  const isTrue = new Set(edges.map(({ path, line }) => `${path}:${line}`));
  const found: FoundEdge[] = [];
  for (const [path, lines] of texts) {
    for (const [at, line] of lines.entries()) {
      const key = `${path}:${at + 1}`;
      if (!word.test(line) || (left.has(key) && !isTrue.has(key))) continue;
      found.push({ path, line: at + 1, isImport: false, isExact: true });
    }
  }
  return compare(edges, found, { withImports: true });
}
