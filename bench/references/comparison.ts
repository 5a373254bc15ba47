// The agreement of two lists of references. A place is a line of a file.
import type { Reference } from "../../src/graph/reference-graph.ts";
import { mean } from "../quality/statistics.ts";
import { isLookedThrough, type Truth } from "./truth.ts";

/** A line on which a definition is used. */
export interface Edge {
  readonly path: string;
  readonly line: number;
  readonly isImport: boolean;
}

export interface TrueEdge extends Edge {
  /** See `TrueReference.isDirect`. */
  readonly isDirect: boolean;
}

export interface FoundEdge extends Edge {
  readonly isExact: boolean;
}

/** The result of one definition. */
export interface Comparison {
  /** Exact edges that are true, and those that are not. */
  readonly exactRight: readonly FoundEdge[];
  readonly exactFalse: readonly FoundEdge[];
  readonly nameRight: readonly FoundEdge[];
  readonly nameFalse: readonly FoundEdge[];
  readonly truth: readonly TrueEdge[];
  /** True edges that are not among the exact ones. */
  readonly missed: readonly TrueEdge[];
}

/** Shares from 0 to 1; NaN if the total is 0. */
export interface Agreement {
  readonly definitions: number;
  readonly edges: number;
  readonly exactPrecision: number;
  /** Of all true edges. */
  readonly exactRecall: number;
  /** Of the direct ones. */
  readonly directRecall: number;
  /** Mean of `exactRecall` over the definitions that have edges: each definition counts the same. */
  readonly meanRecall: number;
  /** With the edges that are known by name only. */
  readonly allPrecision: number;
  readonly allRecall: number;
}

/** The lines of the truth, without definitions. A line is an import if nothing else is on it. */
export function trueEdges({ references }: Truth): readonly TrueEdge[] {
  const uses = references.filter(
    ({ isDefinition, isUnknown }) => !isDefinition && isUnknown !== true,
  );
  const lines = Map.groupBy(uses, keyOf);
  return [...lines.values()].flatMap((places) =>
    places.slice(0, 1).map(({ path, line }) => ({
      path,
      line,
      isImport: places.every(({ isImport }) => isImport),
      isDirect: places.some(({ isDirect }) => isDirect),
    })),
  );
}

/** The lines from svc, without those of definitions and of files outside of the truth. */
export function foundEdges(
  references: readonly Reference[],
  truth: Truth,
  isCovered: (path: string) => boolean = isLookedThrough,
): readonly FoundEdge[] {
  const edges = new Set(trueEdges(truth).map(keyOf));
  const definitions = new Set(
    truth.references
      .filter(({ isDefinition, isUnknown }) => isDefinition || isUnknown === true)
      .map(keyOf),
  );
  const judged = references.filter(
    (one) => isCovered(one.path) && (edges.has(keyOf(one)) || !definitions.has(keyOf(one))),
  );
  return [...Map.groupBy(judged, keyOf).values()].flatMap((places) =>
    places.slice(0, 1).map(({ path, line }) => ({
      path,
      line,
      isImport: places.every(({ role }) => role === "import"),
      isExact: places.some(({ certainty }) => certainty === "exact"),
    })),
  );
}

/** Without imports: those of the truth are neither right nor wrong. */
export function compare(
  truth: readonly TrueEdge[],
  found: readonly FoundEdge[],
  { withImports }: { readonly withImports: boolean },
): Comparison {
  const imports = new Set(truth.filter(({ isImport }) => isImport).map(keyOf));
  const wanted = withImports ? truth : truth.filter(({ isImport }) => !isImport);
  const judged = withImports
    ? found
    : found.filter((edge) => !edge.isImport && !imports.has(keyOf(edge)));
  const known = new Set(wanted.map(keyOf));
  const exact = new Set(judged.filter(({ isExact }) => isExact).map(keyOf));
  const those = (isExact: boolean, isRight: boolean) =>
    judged.filter((edge) => edge.isExact === isExact && known.has(keyOf(edge)) === isRight);
  return {
    exactRight: those(true, true),
    exactFalse: those(true, false),
    nameRight: those(false, true),
    nameFalse: those(false, false),
    truth: wanted,
    missed: wanted.filter((edge) => !exact.has(keyOf(edge))),
  };
}

/** Of several definitions together: each edge counts the same. */
export function agreement(comparisons: readonly Comparison[]): Agreement {
  const count = (of: keyof Comparison, isDirect?: true): number =>
    comparisons
      .flatMap((comparison): readonly (Edge & Partial<TrueEdge>)[] => comparison[of])
      .filter((edge) => isDirect === undefined || edge.isDirect === isDirect).length;
  const right = count("exactRight");
  const rightByName = count("nameRight");
  const wrong = count("exactFalse");
  const edges = count("truth");
  const direct = count("truth", true);
  return {
    definitions: comparisons.length,
    edges,
    exactPrecision: right / (right + wrong),
    exactRecall: right / edges,
    meanRecall: mean(
      comparisons
        .filter(({ truth }) => truth.length > 0)
        .map((one) => one.exactRight.length / one.truth.length),
    ),
    directRecall: (direct - count("missed", true)) / direct,
    allPrecision: (right + rightByName) / (right + rightByName + wrong + count("nameFalse")),
    allRecall: (right + rightByName) / edges,
  };
}

function keyOf({ path, line }: { readonly path: string; readonly line: number }): string {
  return `${path}:${line}`;
}
