// Merges definitions that belong together: several in one statement, or clauses and overloads of one name.
import { docLineFor } from "./describe-definition.ts";
import type { Definition } from "../languages/definition-rules.ts";
import { startRowOf, type FoundNode, type OutlineWalk } from "./outline-walk.ts";

/** If a wrapper contains one definition, extends that definition to the whole wrapper. */
export function wrapMembers(
  walk: OutlineWalk,
  members: Definition[],
  around: FoundNode,
): Definition[] {
  const [only, ...others] =
    members.length === 1 ? members : members.filter((each) => !each.isInline);
  if (only !== undefined && others.length === 0) widen(walk, only, around);
  return members;
}

function widen(walk: OutlineWalk, definition: Definition, around: FoundNode): void {
  definition.startLine = Math.min(definition.startLine, startRowOf(around) + 1);
  definition.endLine = Math.max(definition.endLine, around.endRow + 1);
  definition.docLine ??= docLineFor(walk, around);
}

/** Groups several small definitions of one statement into one definition without a name of its own. */
export function groupMembers(
  walk: OutlineWalk,
  members: Definition[],
  around: FoundNode,
): Definition[] {
  const parts = members.filter((member) => !member.isInline);
  const [first] = parts;
  if (first === undefined || parts.length === 1) return wrapMembers(walk, members, around);
  const groupDefinition: Definition = {
    ...first,
    startLine: startRowOf(around) + 1,
    endLine: around.endRow + 1,
    docLine: docLineFor(walk, around),
    isSymbol: false,
    isInline: false,
    isScope: false,
    members: parts.map((member) => ({ ...member, isInline: true })),
  };
  return [groupDefinition, ...members.filter((member) => member.isInline)];
}

/** Merges adjacent definitions of the same name: clauses, overloads, a signature and its equations. */
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
