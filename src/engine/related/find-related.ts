import type { RelatedGroup, RelatedRequest, RelatedResult, Relation } from "../api/related.ts";
import { changedTogether } from "./find-related-changes.ts";
import { docsOf } from "./find-related-docs.ts";
import { similarTo } from "./find-related-similar.ts";
import { subjectOf, type RelatedContext, type Subject } from "./find-related-subject.ts";
import { testsOf } from "./find-related-testing.ts";
import { resolveTarget, type ResolvedTarget } from "../symbols/resolve-target.ts";

const RELATIONS: readonly Relation[] = ["similar", "tests", "docs", "changed_together"];
/** Without a relation, each one gets the limit divided by this. */
const BUDGET_SHARE = 3;
/** Maximum other definitions of the name. */
const MAX_OTHERS = 5;

/**
 * Finds what is related to a file, some of its lines, or a symbol: the best of one relation, or the best few of each.
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
  const find = (one: Relation): Promise<RelatedGroup> =>
    groupOf(context, subject, { relation: one, limit: each, signal });
  // git reads the history in a process of its own, while the other relations are found.
  const together = requested.includes("changed_together") ? find("changed_together") : undefined;
  // The await below throws its error. If another relation fails first, nobody awaits it.
  together?.catch(() => {});
  const groups: RelatedGroup[] = [];
  for (const one of requested) {
    if (one === "changed_together") continue;
    // oxlint-disable-next-line no-await-in-loop -- sequential, so that a cancelled call stops early
    groups.push(await find(one));
  }
  if (together !== undefined) groups.push(await together);
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

/** The other definitions, without nested ones such as constructors, and without headings. */
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
