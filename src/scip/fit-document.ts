// Checks whether a document of a SCIP index describes the text of a file: an index rarely has the text, and never a hash of
// it, so the names at its ranges decide.

import { columnOf } from "./positions.ts";
import { SymbolRole, type ScipDocument, type ScipOccurrence } from "./read-index.ts";
import { parseSymbol, type GlobalSymbol } from "./symbol-text.ts";

/** An occurrence of a symbol in the text of its file. */
export interface PlacedOccurrence {
  /** 1-based. */
  readonly line: number;
  /** The text at its range, without quotes around it. */
  readonly text: string;
  /** What follows it on its line. */
  readonly rest: string;
  readonly symbol: string;
  /** Undefined for a local symbol. */
  readonly parsed: GlobalSymbol | undefined;
  readonly isDefinition: boolean;
  readonly isImport: boolean;
  /** Lines of the whole definition, 1-based; those of the occurrence if unknown. */
  readonly startLine: number;
  readonly endLine: number;
}

/** Why a document does not describe a file. */
export type Misfit = "other text" | "ranges outside the file" | "other names at its ranges";

/**
 * Shares of the definitions that must have the name of their symbol, and of the uses that must be a whole name: an import
 * may give another name to what it imports, but a range of another text seldom begins and ends where a name does.
 */
const MIN_DEFINITIONS = 0.95;
const MIN_USES = 0.95;

/** Returns the occurrences with their texts, or why the document does not describe this text. */
export function fitDocument(
  document: ScipDocument,
  { text, lines }: { readonly text: string; readonly lines: readonly string[] },
): readonly PlacedOccurrence[] | Misfit {
  if (document.text !== "" && !isSameText(document.text, text)) return "other text";
  const parsed = new Map<string, GlobalSymbol | undefined>();
  const found: PlacedOccurrence[] = [];
  const definitions = new Share();
  const uses = new Share();
  for (const occurrence of document.occurrences) {
    const { symbol, roles } = occurrence;
    if (!parsed.has(symbol)) parsed.set(symbol, parseSymbol(symbol));
    const place = placeOf(occurrence, document.encoding, lines);
    if (place === undefined) return "ranges outside the file";
    // A range without a text stands for the file, and one over several lines for no name.
    if (place.text === "" || symbol === "") continue;
    const one = parsed.get(symbol);
    const isDefinition = (roles & SymbolRole.definition) !== 0;
    const names = one === undefined ? [] : namesOf(one);
    const isRight = names.some((name) => isNamed(name, place.text));
    if (isDefinition && names.length > 0) definitions.add(isRight);
    else uses.add(isRight || place.isName);
    const { line, text: written, rest } = place;
    found.push({
      line,
      text: written,
      rest,
      ...linesOfDefinition(occurrence, lines.length),
      symbol,
      parsed: one,
      isDefinition,
      isImport: (roles & SymbolRole.import) !== 0,
    });
  }
  const fits = definitions.isAtLeast(MIN_DEFINITIONS) && uses.isAtLeast(MIN_USES);
  return fits ? found : "other names at its ranges";
}

/** Counts how many of some names are right. */
class Share {
  #right = 0;
  #all = 0;

  add(isRight: boolean): void {
    this.#all += 1;
    if (isRight) this.#right += 1;
  }

  isAtLeast(share: number): boolean {
    return this.#right >= this.#all * share;
  }
}

function isSameText(one: string, other: string): boolean {
  return one === other || withoutReturns(one) === withoutReturns(other);
}

function withoutReturns(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(/^\u{FEFF}/u, "");
}

/** Undefined for a range that is not in the file. */
function placeOf(
  { startLine, startCharacter, endLine, endCharacter }: ScipOccurrence,
  encoding: number,
  lines: readonly string[],
):
  | (Pick<PlacedOccurrence, "line" | "text" | "rest"> & {
      /** Whether it is a whole identifier, or in quotes. */
      readonly isName: boolean;
    })
  | undefined {
  const line = startLine + 1;
  const first = lines[startLine];
  if (first === undefined) {
    const isEmpty = startLine === endLine && startCharacter === endCharacter;
    return isEmpty && startLine === lines.length
      ? { line, text: "", rest: "", isName: true }
      : undefined;
  }
  if (endLine < startLine || endLine > lines.length) return undefined;
  const start = columnOf(first, startCharacter, encoding);
  if (start === undefined) return undefined;
  if (endLine > startLine) return { line, text: "", rest: "", isName: true };
  const end = columnOf(first, endCharacter, encoding);
  if (end === undefined || end < start) return undefined;
  const written = first.slice(start, end);
  const text = bare(written);
  const isWhole =
    !IDENTIFIER_END.test(first.slice(0, start)) && !IDENTIFIER_START.test(first.slice(end));
  const isQuoted =
    text !== written || /^(["'`])\1$/.test(first.charAt(start - 1) + first.charAt(end));
  const isName = isQuoted || (isWhole && IDENTIFIER.test(text));
  return { line, text, rest: first.slice(end), isName };
}

const IDENTIFIER = /^[#@$]?[.\p{L}\p{N}_$]+[?!]?$/u;
const IDENTIFIER_START = /^[\p{L}\p{N}_$]/u;
const IDENTIFIER_END = /[\p{L}\p{N}_$]$/u;

/** The text without quotes around it. */
function bare(text: string): string {
  const [name = text] = text.split(" as ", 1);
  return /^(["'`])(.*)\1$/s.exec(name)?.[2] ?? name;
}

function linesOfDefinition(
  { startLine, endLine, enclosing }: ScipOccurrence,
  count: number,
): Pick<PlacedOccurrence, "startLine" | "endLine"> {
  const { startLine: from, endLine: to } = enclosing ?? { startLine, endLine };
  const isAround = from <= startLine && to >= endLine && to <= count;
  if (!isAround) return { startLine: startLine + 1, endLine: endLine + 1 };
  return { startLine: from + 1, endLine: Math.min(to, count - 1) + 1 };
}

/** The possible names of a symbol in the text; none if any text is possible, as for a module. */
function namesOf({ descriptors }: GlobalSymbol): readonly string[] {
  const last = descriptors.at(-1);
  if (last === undefined || last.suffix === "namespace" || last.suffix === "meta") return [];
  // Indexers write the name of a getter as `<get>size`.
  const name = last.name.replace(/^<\w+>/, "");
  // A constructor occurs where its type is named.
  const isConstructor = name === "" || name === "__init__" || name === "new";
  const owner = isConstructor ? (descriptors.at(-2)?.name ?? "") : "";
  return [name, owner, "constructor"].filter(
    (one) => one !== "" && (isConstructor || one === name),
  );
}

function isNamed(name: string, text: string): boolean {
  return bare(name) === text || name.replace(/^[#@$]/, "") === text.replace(/^[#@$]/, "");
}
