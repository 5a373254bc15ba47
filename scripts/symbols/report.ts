// Agreement as text: one line for each kind, and one for each class of differences.
import type { SymbolAgreement, SymbolComparison } from "./compare.ts";
import { MISSED } from "./reasons.ts";

export function report(agreement: SymbolAgreement, { examples }: { examples: number }): string {
  const { files, symbols, ctags, tagsQueries } = agreement;
  return [
    `${files} files, ${symbols} symbols`,
    "",
    ...section("universal-ctags", ctags, examples),
    "",
    ...section("tags queries", tagsQueries, examples),
  ].join("\n");
}

/** One row of the table in docs/symbols.md, without the columns on the source of the files. */
export function tableRow({ files, ctags, tagsQueries }: SymbolAgreement): string {
  const cells = [ctags, tagsQueries].flatMap((comparison) => {
    const { found, both, excluded, missed, recall } = countsOf(comparison);
    return [found, both, excluded, missed, recall, comparison.onlyOurs.length];
  });
  return [files, ...cells].join(" | ");
}

interface Counts {
  readonly found: number;
  readonly both: number;
  /** Not a definition in svc's sense. */
  readonly excluded: number;
  readonly missed: number;
  /** The share without the excluded ones, with three digits. */
  readonly recall: string;
}

export function countsOf({ both, missed }: SymbolComparison): Counts {
  const count = missed.filter(({ reason }) => MISSED.has(reason)).length;
  const comparable = both.length + count;
  return {
    found: both.length + missed.length,
    both: both.length,
    excluded: missed.length - count,
    missed: count,
    recall: comparable === 0 ? "–" : (both.length / comparable).toFixed(3),
  };
}

function section(title: string, comparison: SymbolComparison, examples: number): string[] {
  const { found, both, excluded, missed, recall } = countsOf(comparison);
  const { onlyOurs } = comparison;
  return [
    `${title}: ${found} definitions; ours too ${both}, set aside ${excluded}, missed ${missed}, recall ${recall}; only ours ${onlyOurs.length}`,
    ...kinds(comparison),
    ...groups(
      "only theirs",
      comparison.missed.map((tag) => ({ ...tag, group: `${tag.kind}: ${tag.reason}` })),
      examples,
    ),
    ...groups(
      "only ours",
      onlyOurs.map((one) => ({ ...one, line: one.nameLine, group: one.kind })),
      examples,
    ),
  ];
}

function kinds({ both, missed }: SymbolComparison): string[] {
  const found = Map.groupBy([...both, ...missed], ({ kind }) => kind);
  const agreed = Map.groupBy(both, ({ kind }) => kind);
  const rows = [...found].toSorted(([, a], [, b]) => b.length - a.length);
  return rows.map(([kind, all]) => {
    const count = agreed.get(kind)?.length ?? 0;
    const share = (count / all.length).toFixed(3);
    return `  ${kind.padEnd(24)} ${String(all.length).padStart(7)} ${String(count).padStart(7)} ${share}`;
  });
}

interface Item {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  readonly group: string;
}

function groups(title: string, items: readonly Item[], examples: number): string[] {
  const found = [...Map.groupBy(items, ({ group }) => group)];
  return found
    .toSorted(([, a], [, b]) => b.length - a.length)
    .flatMap(([group, all]) => [
      `  ${title}: ${group} ${all.length}`,
      ...spread(all, examples).map(({ path, line, name }) => `      ${path}:${line} ${name}`),
    ]);
}

/** A sample of the items, spread over the list. */
function spread<T>(items: readonly T[], count: number): readonly T[] {
  const step = Math.max(1, Math.floor(items.length / Math.max(1, count)));
  return items.filter((_, index) => index % step === 0).slice(0, count);
}
