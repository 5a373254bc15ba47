// Compares svc's answers for the definitions of a repository with the truth.
import { share, table, type Cell } from "../quality/table.ts";
import {
  agreement,
  compare,
  foundEdges,
  trueEdges,
  type Agreement,
  type Comparison,
  type FoundEdge,
  type TrueEdge,
} from "./comparison.ts";
import { symbolsFor, type Project } from "./project.ts";
import { KINDS_OF_DEFINITION, type Truth } from "./truth.ts";

export interface JudgedDefinition {
  readonly truth: Truth;
  /** False if svc has no symbol there, and so none of its references. */
  readonly isKnown: boolean;
  readonly edges: readonly TrueEdge[];
  readonly found: readonly FoundEdge[];
}

export interface DefinitionScores {
  readonly withoutImports: Readonly<Record<string, Agreement>>;
  readonly withImports: Readonly<Record<string, Agreement>>;
  readonly unknown: number;
}

const ALL = "all";

export async function judgeDefinitions(
  project: Project,
  truths: readonly Truth[],
  isCovered: (path: string) => boolean,
): Promise<readonly JudgedDefinition[]> {
  const judged: JudgedDefinition[] = [];
  for (const truth of truths) {
    // oxlint-disable-next-line no-await-in-loop -- one query after the other
    const [symbol] = await symbolsFor(project, truth);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const references = symbol === undefined ? [] : await project.graph.referencesTo(symbol);
    const found = foundEdges(references, truth, isCovered);
    judged.push({ truth, isKnown: symbol !== undefined, edges: trueEdges(truth), found });
  }
  return judged;
}

export function scoresOf(judged: readonly JudgedDefinition[]): DefinitionScores {
  return {
    withoutImports: byKind(judged, false),
    withImports: byKind(judged, true),
    unknown: judged.filter(({ isKnown }) => !isKnown).length,
  };
}

function byKind(
  judged: readonly JudgedDefinition[],
  withImports: boolean,
): Readonly<Record<string, Agreement>> {
  const of = (some: readonly JudgedDefinition[]) =>
    agreement(some.map((one) => comparisonOf(one, withImports)));
  const kinds = KINDS_OF_DEFINITION.map(
    (kind) => [kind, judged.filter(({ truth }) => truth.kind === kind)] as const,
  );
  const known = kinds.filter(([, some]) => some.length > 0);
  return Object.fromEntries([
    ...known.map(([kind, some]) => [kind, of(some)] as const),
    [ALL, of(judged)],
  ]);
}

function comparisonOf({ edges, found }: JudgedDefinition, withImports: boolean): Comparison {
  return compare(edges, found, { withImports });
}

export function scoresTable(scores: Readonly<Record<string, Agreement>>): string {
  const headings = [
    "kind",
    "definitions",
    "edges",
    "exact: precision",
    "recall",
    "of direct",
    "by definition",
    "with names: precision",
    "recall",
  ];
  const rows = Object.entries(scores).map(([kind, of]): readonly Cell[] => [
    kind,
    of.definitions,
    of.edges,
    ...[of.exactPrecision, of.exactRecall, of.directRecall, of.meanRecall].map(share),
    ...[of.allPrecision, of.allRecall].map(share),
  ]);
  return table(headings, rows);
}

/** The definitions with the most false references, and those with the most missed ones, without imports. */
export function worstOf(judged: readonly JudgedDefinition[], count: number): string {
  const compared = judged.map((one) => ({ one, comparison: comparisonOf(one, false) }));
  const list = (title: string, edgesOf: (of: Comparison) => readonly (TrueEdge | FoundEdge)[]) =>
    [
      title,
      ...compared
        .map(({ one, comparison }) => ({ one, edges: edgesOf(comparison) }))
        .filter(({ edges }) => edges.length > 0)
        .toSorted((first, second) => second.edges.length - first.edges.length)
        .slice(0, count)
        .map(({ one, edges }) => `  ${titleOf(one)}: ${edges.length}\n${placesOf(edges)}`),
    ].join("\n");
  return [
    list("exact and false", ({ exactFalse }) => exactFalse),
    list("true and not exact (~ found through another definition)", ({ missed }) => missed),
  ].join("\n\n");
}

function titleOf({ truth, isKnown }: JudgedDefinition): string {
  const { kind, container, name, path, line } = truth;
  const title = `${kind} ${container === "" ? "" : `${container}.`}${name} ${path}:${line}`;
  return isKnown ? title : `${title} (no symbol of svc)`;
}

/** Places that are shown of a definition. */
const SHOWN_PLACES = 6;

function placesOf(edges: readonly (TrueEdge | FoundEdge)[]): string {
  // Spread over all of them: neighbours are wrong for the same reason.
  const step = Math.max(1, edges.length / SHOWN_PLACES);
  return Array.from({ length: Math.min(edges.length, SHOWN_PLACES) }, (_, at) => {
    const edge = edges[Math.floor(at * step)];
    const isRelated = edge !== undefined && "isDirect" in edge && !edge.isDirect;
    return `    ${edge?.path}:${edge?.line}${isRelated ? " ~" : ""}`;
  }).join("\n");
}
