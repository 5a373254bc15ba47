// The definitions in one document of a SCIP index, as svc's index has them or as they are added to it.

import type { FactTarget } from "../index/compiler-facts/compiler-facts.ts";
import type { ChunkKind, SymbolFacts } from "../index/types.ts";
import type { PlacedOccurrence } from "./fit-document.ts";
import type { ScipSymbol } from "./read-index.ts";
import type { Descriptor } from "./symbol-text.ts";

export interface DocumentDefinitions {
  /** Symbol -> its definitions in the file. */
  readonly targets: ReadonlyMap<string, readonly FactTarget[]>;
  /** Definitions that svc's parser does not have. */
  readonly added: readonly SymbolFacts[];
  /** Symbols that are defined in the file, but are not definitions for svc: parameters, keys of literals. */
  readonly hidden: ReadonlySet<string>;
}

/** Of a type that several lines extend, such as a module. */
const MAX_TARGETS = 8;

/** Values of `SymbolInformation.Kind` in scip.proto that are classes; other types are not. */
const CLASS_KINDS: ReadonlySet<number> = new Set([7, 49]);

export function ownDefinitions(
  { path, symbols }: { readonly path: string; readonly symbols: readonly SymbolFacts[] },
  document: {
    readonly occurrences: readonly PlacedOccurrence[];
    readonly symbols: readonly ScipSymbol[];
  },
): DocumentDefinitions {
  const byPlace = Map.groupBy(symbols, ({ nameLine, name }) => `${nameLine} ${name}`);
  const kinds = new Map(document.symbols.map(({ symbol, kind }) => [symbol, kind]));
  const targets = new Map<string, FactTarget[]>();
  const missing = new Map<string, PlacedOccurrence>();
  for (const occurrence of document.occurrences) {
    const { symbol, isDefinition, line, text } = occurrence;
    if (!isDefinition) continue;
    const known = byPlace.get(`${line} ${text}`) ?? byPlace.get(`${line} ${nameOf(occurrence)}`);
    const [own] = known ?? [];
    if (own === undefined) {
      if (!missing.has(symbol)) missing.set(symbol, occurrence);
      continue;
    }
    const found = targets.get(symbol) ?? [];
    const isNew = !found.some(({ qualifiedName }) => qualifiedName === own.qualifiedName);
    if (isNew && found.length < MAX_TARGETS)
      found.push({ path, qualifiedName: own.qualifiedName, name: own.name });
    targets.set(symbol, found);
  }
  const added: SymbolFacts[] = [];
  const hidden = new Set<string>();
  for (const [symbol, occurrence] of missing) {
    if (targets.has(symbol)) continue;
    const one = definitionOf(occurrence, { symbols, kind: kinds.get(symbol) ?? 0 });
    if (one === undefined) {
      hidden.add(symbol);
      continue;
    }
    added.push(one);
    targets.set(symbol, [{ path, qualifiedName: one.qualifiedName, name: one.name }]);
  }
  return { targets, added, hidden };
}

/** The name of the symbol where the text at its definition is another one, as for `<constructor>`. */
function nameOf({ parsed, text }: PlacedOccurrence): string {
  return parsed?.descriptors.at(-1)?.name.replace(/^<\w+>/, "") ?? text;
}

/** The definition that an occurrence shows; undefined for what is none to svc. */
function definitionOf(
  { parsed, text, line, startLine, endLine }: PlacedOccurrence,
  { symbols, kind }: { readonly symbols: readonly SymbolFacts[]; readonly kind: number },
): SymbolFacts | undefined {
  const [last, outer] = parsed?.descriptors.toReversed() ?? [];
  if (last === undefined || !/^[\p{L}\p{N}_$#@?!-]+$/u.test(text)) return undefined;
  const kindOfLast = kindOf(last, { outer, kind });
  if (kindOfLast === undefined) return undefined;
  const around = innermostAt(symbols, line);
  const isOwn = around !== undefined && around.nameLine === line && around.startLine === line;
  const owner = isOwn ? undefined : around;
  return {
    name: text,
    qualifiedName: owner === undefined ? text : `${owner.qualifiedName}.${text}`,
    kind: kindOfLast,
    access: "internal",
    startLine,
    endLine,
    nameLine: line,
  };
}

function kindOf(
  { suffix }: Descriptor,
  { outer, kind }: { readonly outer: Descriptor | undefined; readonly kind: number },
): ChunkKind | undefined {
  const isMember = outer?.suffix === "type";
  switch (suffix) {
    case "type":
      return CLASS_KINDS.has(kind) ? "class" : "type";
    case "term":
      return isMember ? "field" : "constant";
    case "method":
      return isMember ? "method" : "function";
    case "macro":
      return "function";
    case "namespace":
    case "meta":
    case "parameter":
    case "typeParameter":
      return undefined;
    default:
      return suffix satisfies never;
  }
}

function innermostAt(symbols: readonly SymbolFacts[], line: number): SymbolFacts | undefined {
  let found: SymbolFacts | undefined;
  for (const one of symbols) {
    if (one.startLine > line || one.endLine < line) continue;
    if (found === undefined || one.endLine - one.startLine <= found.endLine - found.startLine)
      found = one;
  }
  return found;
}
