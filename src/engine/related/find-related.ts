import type { RelatedResult, RelatedGroup, RelatedRequest, Relation } from "../engine.ts";
import { changedTogether } from "./find-related-changes.ts";
import { docsOf } from "./find-related-docs.ts";
import { similarTo } from "./find-related-similar.ts";
import { subjectOf, type RelatedContext, type Subject } from "./find-related-subject.ts";
import { testsOf } from "./find-related-testing.ts";
import { resolveTarget, type ResolvedTarget } from "../symbols/resolve-target.ts";

const RELATIONS: readonly Relation[] = ["similar", "tests", "docs", "changed_together"];
/** Where no relation is asked for, each gets so much of the limit. */
const BUDGET_SHARE = 3;
/** Other definitions of the name that are shown. */
const MAX_OTHERS = 5;

/**
 * What belongs to a file, some of its lines, or a symbol: the best of one relation, or the best few of each.
 * Throws PATH_NOT_FOUND, SYMBOL_NOT_FOUND, PATH_OUTSIDE_SOURCE and TIMEOUT.
 */
export async function findRelated(
  context: RelatedContext,
  { target, relation, limit, signal }: RelatedRequest,
): Promise<Omit<RelatedResult, "namespace">> {
  const resolved = await resolveTarget(context, target);
  const subject = await subjectOf(context, resolved);
  const requested = relation === undefined ? RELATIONS : [relation];
  const each = relation === undefined ? Math.ceil(limit / BUDGET_SHARE) : limit;
  const groups: RelatedGroup[] = [];
  for (const one of requested) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the first stops when the call does
    groups.push(await groupOf(context, subject, { relation: one, limit: each, signal }));
  }
  const { path, startLine, endLine } = subject;
  return {
    generation: context.reader.version.at,
    path,
    startLine,
    endLine,
    symbol: resolved.symbol,
    others: othersOf(resolved),
    groups,
  };
}

/** Without what is defined inside of it, as constructors are, and without headings about it. */
function othersOf({
  path,
  startLine,
  endLine,
  definition,
  others,
}: ResolvedTarget): ResolvedTarget["others"] {
  return others
    .filter(
      (one) =>
        (one.kind !== "section" || definition?.kind === "section") &&
        !(one.path === path && one.startLine >= startLine && one.endLine <= endLine),
    )
    .slice(0, MAX_OTHERS);
}

async function groupOf(
  context: RelatedContext,
  subject: Subject,
  { relation, limit, signal }: { relation: Relation; limit: number; signal: AbortSignal },
): Promise<RelatedGroup> {
  switch (relation) {
    case "changed_together":
      return { relation, ...(await changedTogether(context, subject, { limit, signal })) };
    case "similar":
      return { relation, items: await similarTo(context, subject, limit), problem: undefined };
    case "tests":
      return { relation, items: await testsOf(context, subject, limit), problem: undefined };
    case "docs":
      return { relation, items: await docsOf(context, subject, limit), problem: undefined };
    default:
      return relation satisfies never;
  }
}
