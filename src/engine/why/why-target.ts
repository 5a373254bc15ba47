// Decides what a question about the history is about: lines, a definition, or words.

import { documentFormatOf } from "../../base/documents/document-formats.ts";
import { SvcError } from "../../base/errors.ts";
import { UnknownPath } from "../../sources/unknown-path.ts";
import type { WhyKind } from "../api/why.ts";
import { SourceLines } from "../files/source-lines.ts";
import type { QueryContext } from "../query-context.ts";
import { innermostAt } from "../symbols/innermost-symbol.ts";
import { lastPart } from "../symbols/named-definitions.ts";
import {
  isWholeFile,
  pathNotFound,
  requireNotSecret,
  resolveTarget,
} from "../symbols/resolve-target.ts";
import type { ResolvedTarget } from "../symbols/resolve-target.ts";

/** A place whose history is asked for. Lines are 1-based and inclusive, in the current file. */
export interface WhyPlace {
  readonly path: string;
  /** The lines of the question. */
  readonly startLine: number;
  readonly endLine: number;
  /** Whether the question names these lines; otherwise it names the definition. */
  readonly isLines: boolean;
  /** The lines whose changes belong to the answer: those of the definition, if there is one. */
  readonly scope: { readonly startLine: number; readonly endLine: number };
  /** Qualified name of the definition; "" if there is none. */
  readonly symbol: string;
  /** Simple name of the definition; "" if there is none. */
  readonly name: string;
  /** The texts of the lines of the file, without line ends, and with their secrets masked. */
  readonly lines: readonly string[];
  readonly others: ResolvedTarget["others"];
}

/** Of a larger definition, such as a class with all of its methods, only the lines of the question are followed. */
const MAX_DEFINITION_LINES = 400;

/**
 * Returns the place that a question means; undefined if it is a question in words. Throws PATH_NOT_FOUND and
 * SYMBOL_NOT_FOUND for a place that does not exist, and INVALID_PARAMS for one without lines of text.
 */
export async function whyPlace(
  context: QueryContext,
  question: string,
  kind: WhyKind | undefined,
): Promise<WhyPlace | undefined> {
  if (kind === "words") return undefined;
  if (kind === "place") return placeOf(context, await resolveTarget(context, question));
  let target: ResolvedTarget;
  try {
    target = await resolveTarget(context, question);
  } catch (thrown) {
    if (!isUnknown(thrown) || !canBeWords(question)) throw thrown;
    return undefined;
  }
  return isMeant(question, target) ? placeOf(context, target) : undefined;
}

function isUnknown(thrown: unknown): boolean {
  if (thrown instanceof UnknownPath) return true;
  return (
    thrown instanceof SvcError &&
    (thrown.code === "SYMBOL_NOT_FOUND" || thrown.code === "PATH_NOT_FOUND")
  );
}

/** Whether nobody would write a place like this. */
function canBeWords(question: string): boolean {
  return /\s/.test(question) || !/[/\\#]|:\d+(?:-\d+)?$|\.\w+$/.test(question);
}

/** A word may be the name of a definition in another case by chance. */
function isMeant(question: string, { definition }: ResolvedTarget): boolean {
  if (definition === undefined) return true;
  const name = lastPart(question.replace(/\(\)$/, ""));
  return question.includes("#") || definition.name === name;
}

async function placeOf(context: QueryContext, target: ResolvedTarget): Promise<WhyPlace> {
  const { reader, sources, texts } = context;
  const { path, definition, others } = target;
  requireNotSecret(sources, path);
  if (documentFormatOf(path) !== undefined) {
    throw new SvcError("INVALID_PARAMS", `${path} is a document, whose lines git does not know.`, {
      hint: "Ask in words, or for a file of text.",
    });
  }
  const file = await new SourceLines(reader, texts).read(path);
  const length = file?.lines.length ?? 0;
  if (file === undefined && (await reader.factsOf(path)) === undefined)
    throw await pathNotFound(reader, path);
  if (file === undefined || target.startLine > length) {
    const problem =
      file === undefined ? `${path} has no text that svc can read` : `${path} has ${length} lines`;
    throw new SvcError("PATH_NOT_FOUND", `${problem}.`, {
      hint: "Name a line of a file in the index, a definition, or ask in words.",
    });
  }
  const base = { path, lines: file.lines, others, symbol: "", name: "" };
  const asked = {
    startLine: target.startLine,
    endLine: Math.min(target.endLine, length),
  };
  if (definition !== undefined) {
    const { qualifiedName: symbol, name } = definition;
    return { ...base, ...asked, isLines: false, scope: asked, symbol, name };
  }
  if (isWholeFile(target)) return { ...base, ...asked, isLines: false, scope: asked };
  const around = innermostAt(
    (await file.symbols()).filter(({ kind }) => kind !== "section"),
    asked,
  );
  const isInside = around !== undefined && around.endLine >= asked.endLine;
  if (!isInside) return { ...base, ...asked, isLines: true, scope: asked };
  const { startLine, endLine, qualifiedName: symbol, name } = around;
  const isSmall = endLine - startLine < MAX_DEFINITION_LINES;
  const scope = isSmall ? { startLine, endLine } : asked;
  return { ...base, ...asked, isLines: true, scope, symbol, name };
}
