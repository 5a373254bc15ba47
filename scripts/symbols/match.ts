// Matches the definitions of two programs.
import type { SymbolDefinition } from "../../src/parse/symbols/symbol-definition.ts";
import type { Tag } from "./tag.ts";

/** A definition that svc finds. */
export type SvcSymbol = Pick<
  SymbolDefinition,
  "name" | "qualifiedName" | "kind" | "startLine" | "endLine" | "nameLine"
>;

export interface Matched {
  readonly both: readonly Tag[];
  readonly onlyTags: readonly Tag[];
  readonly onlyOurs: readonly SvcSymbol[];
}

/**
 * Compares the definitions of one file. They agree if the names agree and the tag lies between the first line of svc's
 * definition and the line after its name; overloads and clauses are one definition in svc, so the tag may lie anywhere
 * in it.
 */
export function matchFile(tags: readonly Tag[], ours: readonly SvcSymbol[]): Matched {
  const byName = Map.groupBy(ours, ({ name }) => plainName(name));
  const used = new Set<SvcSymbol>();
  const both: Tag[] = [];
  const open: Tag[] = [];
  for (const tag of withoutRepeats(tags)) {
    const candidates = (byName.get(plainName(tag.name)) ?? []).filter(
      (each) => tag.line >= each.startLine && tag.line <= each.nameLine + 1,
    );
    const found = nearest(
      candidates.filter((each) => !used.has(each)),
      tag.line,
    );
    if (found === undefined) open.push(tag);
    else {
      used.add(found);
      both.push(tag);
    }
  }
  const onlyTags: Tag[] = [];
  for (const tag of open) (isClause(tag, byName) ? both : onlyTags).push(tag);
  return { both, onlyTags, onlyOurs: ours.filter((each) => !used.has(each)) };
}

/** Some definitions are listed twice, as a constant and as a method. */
function withoutRepeats(tags: readonly Tag[]): readonly Tag[] {
  const known = new Set<string>();
  return tags.filter(({ name, line }) => {
    const key = `${line}:${name}`;
    return !known.has(key) && known.add(key);
  });
}

function nearest(candidates: readonly SvcSymbol[], line: number): SvcSymbol | undefined {
  return candidates.toSorted(
    (a, b) => Math.abs(a.nameLine - line) - Math.abs(b.nameLine - line),
  )[0];
}

function isClause(tag: Tag, byName: ReadonlyMap<string, readonly SvcSymbol[]>): boolean {
  return (byName.get(plainName(tag.name)) ?? []).some(
    ({ kind, startLine, endLine }) =>
      (kind === "function" || kind === "method") && tag.line >= startLine && tag.line <= endLine,
  );
}

/** A name without the additions of a program: the path before it, type arguments, quotes, blanks. */
export function plainName(name: string): string {
  const operator = /\boperator\b\s*(?:\(\))?[^(]*/.exec(name);
  if (operator !== null) return operator[0].replace(/\s+/g, "");
  const bare = name
    .trim()
    .replace(/<.*$/s, "")
    .replace(/^["'`:$@#]+|["'`]+$/g, "");
  return bare.split(/::|[.\\]/).at(-1) ?? bare;
}
