import { foldText } from "./fold-text.ts";

/**
 * The texts that a file must contain to be a candidate. They are folded by foldText, like the file's text.
 * `all`: there is no condition, any file may match.
 */
export type LiteralQuery =
  | { readonly kind: "all" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "and" | "or"; readonly parts: readonly LiteralQuery[] };

export const ALL: LiteralQuery = { kind: "all" };

/** Whether a text, folded by `foldText`, satisfies a query. */
export function satisfies(foldedText: string, query: LiteralQuery): boolean {
  if (query.kind === "all") return true;
  if (query.kind === "literal") return foldedText.includes(query.text);
  if (query.kind === "and") return query.parts.every((part) => satisfies(foldedText, part));
  return query.parts.some((part) => satisfies(foldedText, part));
}

/** The shortest text that the index can find, in bytes of UTF-8. */
const MIN_BYTES = 3;

/** Requires a text; `ALL` for a text too short for the index. */
export function literal(text: string): LiteralQuery {
  const folded = foldText(text);
  return Buffer.byteLength(folded) < MIN_BYTES ? ALL : { kind: "literal", text: folded };
}

/** Requires every part, up to MAX_PARTS; drops parts that follow from another one. */
export function allOf(parts: readonly LiteralQuery[]): LiteralQuery {
  const distinctive = parts.filter(({ kind }) => kind !== "all");
  if (distinctive.length < 2) return distinctive[0] ?? ALL;
  const flat = distinctive.flatMap((part) => (part.kind === "and" ? part.parts : [part]));
  const needed = withoutRedundant(distinct(flat).slice(0, MAX_PARTS), (other, part) =>
    implies(other, part),
  );
  return needed.length === 1 ? (needed[0] ?? ALL) : { kind: "and", parts: needed };
}

/** Requires at least one part; drops parts that imply another one. Without parts, any file may match. */
export function anyOf(parts: readonly LiteralQuery[]): LiteralQuery {
  if (parts.some(({ kind }) => kind === "all")) return ALL;
  if (parts.length < 2) return parts[0] ?? ALL;
  const flat = parts.flatMap((part) => (part.kind === "or" ? part.parts : [part]));
  const needed = withoutRedundant(distinct(flat), (other, part) => implies(part, other));
  return needed.length === 1 ? (needed[0] ?? ALL) : { kind: "or", parts: needed };
}

/** Further conditions exclude too few files to be worth reading their lists. */
const MAX_PARTS = 32;
/** Above this many literals, comparing all pairs takes too long. */
const MAX_COMPARED_PARTS = 256;

function distinct(parts: readonly LiteralQuery[]): readonly LiteralQuery[] {
  const known = new Map<unknown, LiteralQuery>();
  for (const part of parts) known.set(part.kind === "literal" ? part.text : part, part);
  return [...known.values()];
}

function withoutRedundant(
  parts: readonly LiteralQuery[],
  covers: (other: LiteralQuery, part: LiteralQuery) => boolean,
): readonly LiteralQuery[] {
  if (parts.reduce((sum, part) => sum + literalsIn(part), 0) > MAX_COMPARED_PARTS) return parts;
  const remaining: LiteralQuery[] = [];
  for (const part of parts) {
    if (remaining.some((other) => covers(other, part))) continue;
    for (let at = remaining.length - 1; at >= 0; at -= 1) {
      const other = remaining[at];
      if (other !== undefined && covers(part, other)) remaining.splice(at, 1);
    }
    remaining.push(part);
  }
  return remaining;
}

function literalsIn(query: LiteralQuery): number {
  return "parts" in query ? query.parts.reduce((sum, part) => sum + literalsIn(part), 0) : 1;
}

/** Whether `one` implies `other`; false if that cannot be proved. */
function implies(one: LiteralQuery, other: LiteralQuery): boolean {
  if (other.kind === "all") return true;
  if (one.kind === "or") return one.parts.every((part) => implies(part, other));
  if (other.kind === "and") return other.parts.every((part) => implies(one, part));
  if (one.kind === "and" && one.parts.some((part) => implies(part, other))) return true;
  if (other.kind === "or") return other.parts.some((part) => implies(one, part));
  return one.kind === "literal" && other.kind === "literal" && one.text.includes(other.text);
}
