// Explains why a definition has no known uses: the name is in text that svc cannot resolve.

import { GRAMMAR_FILES } from "../../base/grammar-files.ts";
import { USES_WITHOUT_GRAMMAR } from "../../base/language-families.ts";
import { languageOf } from "../../scan/classify.ts";
import { linesWithMember, linesWithName } from "../text-search/lines-with-name.ts";
import { lastPart } from "./named-definitions.ts";

type Context = Parameters<typeof linesWithName>[0];
type Limits = Parameters<typeof linesWithName>[2];

interface UnusedDefinition {
  readonly path: string;
  /** Qualified name. */
  readonly symbol: string;
  /** How many definitions have the name. */
  readonly definitions: number;
}

/** Undefined if only the definitions have the name. */
export async function unresolvedUses(
  context: Context,
  { path, symbol, definitions }: UnusedDefinition,
  limits: Limits,
): Promise<string | undefined> {
  const name = lastPart(symbol);
  const ofMember = symbol.includes(".") ? await linesWithMember(context, name, limits) : undefined;
  if (ofMember !== undefined && ofMember.lines > 0) return reasonOf(path) + ofMember.advice;
  const found = await linesWithName(context, name, limits);
  if (found === undefined || found.lines <= definitions) return undefined;
  return reasonOf(path) + found.advice;
}

/** The same for a file that no file is known to use: lines with its name, as of a playbook or a template. */
export async function unresolvedFileUses(
  context: Context,
  path: string,
  limits: Limits,
): Promise<string | undefined> {
  const reason = reasonOf(path);
  const found = await linesWithName(context, path.slice(path.lastIndexOf("/") + 1), limits);
  const advice = found === undefined || found.lines === 0 ? "" : found.advice;
  const hint = (reason + advice).trim();
  return hint === "" ? undefined : hint;
}

function reasonOf(path: string): string {
  const language = languageOf(path);
  return language === undefined || USES_WITHOUT_GRAMMAR.has(language) || language in GRAMMAR_FILES
    ? ""
    : `svc finds no uses in ${language}. `;
}
