import { foldText } from "./fold-text.ts";

/**
 * What a file must contain to be worth reading. Texts are as foldText makes them, and so is the text
 * of the file they are looked for in. `all`: nothing is known, any file may match.
 */
export type LiteralQuery =
  | { readonly kind: "all" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "and" | "or"; readonly parts: readonly LiteralQuery[] };

export const ALL: LiteralQuery = { kind: "all" };

/** The shortest text, in bytes of UTF-8, of which the index knows anything. */
const MIN_BYTES = 3;

export function literal(text: string): LiteralQuery {
  const folded = foldText(text);
  return Buffer.byteLength(folded) < MIN_BYTES ? ALL : { kind: "literal", text: folded };
}

/** Every part, as far as that is worth its time; those that follow from another are left out. */
export function allOf(parts: readonly LiteralQuery[]): LiteralQuery {
  const distinctive = parts.filter(({ kind }) => kind !== "all");
  if (distinctive.length < 2) return distinctive[0] ?? ALL;
  const flat = distinctive.flatMap((part) => (part.kind === "and" ? part.parts : [part]));
  const needed = withoutRedundant(distinct(flat).slice(0, MAX_PARTS), (other, part) =>
    implies(other, part),
  );
  return needed.length === 1 ? (needed[0] ?? ALL) : { kind: "and", parts: needed };
}

/** One part or more; those from which another follows are left out. No part: all. */
export function anyOf(parts: readonly LiteralQuery[]): LiteralQuery {
  if (parts.some(({ kind }) => kind === "all")) return ALL;
  if (parts.length < 2) return parts[0] ?? ALL;
  const flat = parts.flatMap((part) => (part.kind === "or" ? part.parts : [part]));
  const needed = withoutRedundant(distinct(flat), (other, part) => implies(part, other));
  return needed.length === 1 ? (needed[0] ?? ALL) : { kind: "or", parts: needed };
}

/** What more conditions rule out is not worth the lists that they read. */
const MAX_PARTS = 32;
/** Above this many literals the comparison of each with each is not worth its time. */
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

/** Whether what satisfies `one` satisfies `other`; false when that cannot be seen. */
function implies(one: LiteralQuery, other: LiteralQuery): boolean {
  if (other.kind === "all") return true;
  if (one.kind === "or") return one.parts.every((part) => implies(part, other));
  if (other.kind === "and") return other.parts.every((part) => implies(one, part));
  if (one.kind === "and" && one.parts.some((part) => implies(part, other))) return true;
  if (other.kind === "or") return other.parts.some((part) => implies(one, part));
  return one.kind === "literal" && other.kind === "literal" && one.text.includes(other.text);
}
