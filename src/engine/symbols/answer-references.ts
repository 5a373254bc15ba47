import { SvcError } from "../../base/errors.ts";
import type { ReferencesRequest, ReferencesResult } from "../api/references.ts";
import { unmatchedPathHint } from "../files/unmatched-path.ts";
import { linesWithName } from "../text-search/lines-with-name.ts";
import { findReferences, type ReferenceContext } from "./find-references.ts";
import { unresolvedUses } from "./unresolved-uses.ts";

/** Relations that ask for places with the name of the symbol. */
const OF_USERS: ReadonlySet<string> = new Set(["references", "callers", "implementations"]);

/** Finds references in one index; an answer without any says what may explain that. Throws as `findReferences`. */
export async function answerReferences(
  context: ReferenceContext,
  request: ReferencesRequest,
): Promise<Omit<ReferencesResult, "namespace">> {
  const result = await findReferences(context, request).catch((error: unknown) =>
    withTextAdvice(context, request, error),
  );
  if (result.references.length > 0 || request.cursor !== undefined) return result;
  const hint = await hintOf(context, request, result);
  return hint === undefined ? result : { ...result, hint };
}

/** Rejects with the error; of an unknown symbol, it says on how many lines the name is. */
async function withTextAdvice(
  context: ReferenceContext,
  request: ReferencesRequest,
  error: unknown,
): Promise<never> {
  const isUnknown = error instanceof SvcError && error.code === "SYMBOL_NOT_FOUND";
  const name = request.symbol.trim();
  const found = isUnknown ? await linesWithName(context, name, request) : undefined;
  if (!isUnknown || found === undefined || found.lines === 0) throw error;
  throw new SvcError(error.code, error.message, { hint: found.advice });
}

async function hintOf(
  context: ReferenceContext,
  request: ReferencesRequest,
  { target, others }: Pick<ReferencesResult, "target" | "others">,
): Promise<string | undefined> {
  const { relation, path } = request;
  const unmatched = await unmatchedPathHint(context.reader, request);
  if (unmatched !== undefined) return unmatched;
  if (!OF_USERS.has(relation) || target.startLine === 0) return undefined;
  const all = await findReferences(context, {
    ...request,
    relation: "references",
    path: undefined,
    depth: 1,
    limit: 1,
  });
  const total = all.exact + all.byName;
  if (total > 0) {
    const what = total === 1 ? "1 reference" : `${total} references`;
    if (path !== undefined) return `It has ${what}, of other kinds or not with this path.`;
    return `It has ${what} of other kinds: relation \`references\` lists them.`;
  }
  return unresolvedUses(context, { ...target, definitions: 1 + others.length }, request);
}
