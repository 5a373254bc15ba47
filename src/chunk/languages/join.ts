// Definitions that belong together: a statement that makes several, clauses and overloads of one name.
import { docOf } from "./describe.ts";
import type { Definition } from "./language.ts";
import { startRowOf, type Found, type Walk } from "./walk.ts";

/** Of the definitions in a wrapper the one that it is around begins and ends where the wrapper does. */
export function wrap(walk: Walk, members: Definition[], around: Found): Definition[] {
  const [only, ...others] =
    members.length === 1 ? members : members.filter((each) => !each.isInline);
  if (only !== undefined && others.length === 0) widen(walk, only, around);
  return members;
}

function widen(walk: Walk, definition: Definition, around: Found): void {
  definition.startLine = Math.min(definition.startLine, startRowOf(around) + 1);
  definition.endLine = Math.max(definition.endLine, around.endRow + 1);
  definition.docLine ??= docOf(walk, around);
}

/** Several small definitions in one statement become one place with several symbols. */
export function group(walk: Walk, members: Definition[], around: Found): Definition[] {
  const parts = members.filter((member) => !member.isInline);
  const [first] = parts;
  if (first === undefined || parts.length === 1) return wrap(walk, members, around);
  const whole: Definition = {
    ...first,
    startLine: startRowOf(around) + 1,
    endLine: around.endRow + 1,
    docLine: docOf(walk, around),
    isSymbol: false,
    isInline: false,
    isScope: false,
    members: parts.map((member) => ({ ...member, isInline: true })),
  };
  return [whole, ...members.filter((member) => member.isInline)];
}

/** Makes one definition of neighbours of the same name: clauses, overloads, a signature and its equations. */
export function joinClauses(definitions: readonly Definition[]): Definition[] {
  const joined: Definition[] = [];
  for (const next of definitions) {
    const last = joined.at(-1);
    if (last === undefined || !areClauses(last, next)) {
      joined.push(next);
      continue;
    }
    last.endLine = Math.max(last.endLine, next.endLine);
    last.docLine ??= next.docLine;
    last.members.push(...next.members);
  }
  return joined;
}

function areClauses(last: Definition, next: Definition): boolean {
  return (
    (next.kind === "function" || next.kind === "method") &&
    last.name === next.name &&
    last.kind === next.kind &&
    last.owner === next.owner &&
    !next.isTitle &&
    next.startLine - last.endLine <= 2
  );
}
