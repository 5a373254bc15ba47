import { counted } from "../../base/amounts.ts";
import { SvcError } from "../../base/errors.ts";
import { documentPlace } from "../../base/documents/places.ts";
import { isValueKind } from "../../base/definition-kinds.ts";
import { IndexDamage } from "../../index/damage.ts";
import type { IndexReader, SymbolHit } from "../../index/port.ts";
import { estimateTokens } from "../../search/passage-budget.ts";
import { UnknownPath } from "../../sources/unknown-path.ts";
import type { PlaceContext } from "./at-revision.ts";
import { requireText } from "./current-file.ts";
import type { ReadPart, ReadRequest, ReadResult } from "../api/read.ts";
import {
  isWholeFile,
  pathNotFound,
  requireNotSecret,
  resolveTarget,
  type ResolvedTarget,
} from "../symbols/resolve-target.ts";

type TargetsContext = Pick<PlaceContext, "sources" | "texts"> & {
  readonly reader: Omit<PlaceContext["reader"], "textCandidates">;
};

/** Reads the text of files, ranges, definitions and sections, up to `maxTokens` tokens. */
export async function readTargets(
  context: TargetsContext,
  request: ReadRequest,
): Promise<Omit<ReadResult, "namespace">> {
  const parts: ReadPart[] = [];
  const problems: ReadResult["problems"][number][] = [];
  let budget = request.maxTokens;
  for (const target of request.targets) {
    try {
      // eslint-disable-next-line no-await-in-loop -- each target gets the rest of the budget
      const part = await readPart(context, target, budget);
      budget -= estimateTokens(part.lines.join("\n"));
      parts.push(part);
    } catch (thrown) {
      if (!(thrown instanceof SvcError)) throw thrown;
      // A path outside of the source is an attack or a mistake: refuse the whole call.
      if (thrown.code === "PATH_OUTSIDE_SOURCE" || thrown instanceof IndexDamage) throw thrown;
      const unknown = thrown instanceof UnknownPath ? { unknownPath: thrown.problem } : {};
      problems.push({ target, code: thrown.code, detail: thrown.detail, ...unknown });
    }
  }
  return { parts, problems };
}

async function readPart(
  context: TargetsContext,
  target: string,
  budget: number,
): Promise<ReadPart> {
  const place = await resolveTarget(context, target);
  requireNotSecret(context.sources, place.path);
  const known = await context.reader.file(place.path);
  const file = await requireText(context.texts, place.path, known);
  if (file === undefined) throw await pathNotFound(context.reader, place.path);
  if (file.isBinary) {
    throw new SvcError("PATH_NOT_FOUND", `${place.path} is a binary file and is not shown.`);
  }
  const totalLines = file.lines.length;
  if (place.startLine > Math.max(1, totalLines)) {
    throw new SvcError(
      "PATH_NOT_FOUND",
      `${place.path} has ${counted(totalLines, "line")}; line ${place.startLine} is after its end.`,
    );
  }
  const wanted = file.lines.slice(place.startLine - 1, place.endLine);
  const lines = fittingLines(wanted, budget);
  const endLine = place.startLine + lines.length - 1;
  return {
    target,
    path: place.path,
    startLine: place.startLine,
    endLine,
    place: documentPlace(place.path, file.document, { startLine: place.startLine, endLine }),
    totalLines,
    lines,
    enclosing: await enclosingSymbol(context.reader, place),
    symbol: place.symbol,
    others: otherDefinitions(place),
    changed: known?.hasContent === true && file.isChanged,
    truncatedAt: lines.length < wanted.length ? endLine + 1 : undefined,
  };
}

/** The lines that fit into the budget, and always the first line. */
function fittingLines(lines: readonly string[], budget: number): readonly string[] {
  let characters = budget * 4;
  const end = lines.findIndex((line) => {
    characters -= line.length + 1;
    return characters < 0;
  });
  return end === -1 ? lines : lines.slice(0, Math.max(1, end));
}

/** The name of a type or a function does not mean the fields of the same name. */
function otherDefinitions({ definition, others }: ResolvedTarget): ReadPart["others"] {
  const meant =
    definition === undefined || isField(definition)
      ? others
      : others.filter((other) => !isField(other));
  return meant.map(({ path, startLine }) => ({ path, startLine }));
}

function isField({ kind, name, qualifiedName }: SymbolHit): boolean {
  return isValueKind(kind) && name !== qualifiedName;
}

async function enclosingSymbol(
  reader: Pick<IndexReader, "symbolsOf">,
  target: ResolvedTarget,
): Promise<readonly string[]> {
  if (isWholeFile(target)) return [];
  const { path, startLine, endLine, symbol } = target;
  return (await reader.symbolsOf(path))
    .filter(
      (one) => one.startLine <= startLine && one.endLine >= endLine && one.qualifiedName !== symbol,
    )
    .map((one) => `${one.kind} ${one.qualifiedName} (${one.startLine}-${one.endLine})`);
}
