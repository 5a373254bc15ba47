import { locationText } from "../../base/documents/places.ts";
import { placeOf } from "../place-of.ts";
import * as v from "valibot";

import { SvcError } from "../../base/errors.ts";
import type { FoundSymbol, SymbolsResult } from "../../engine/api/symbols.ts";
import { shortSignature } from "../../engine/symbols/short-signature.ts";
import { cursor, language, namespaces, pathGlob, boundedText, wholeNumber } from "../arguments.ts";
import { defineTool, type ContentItem } from "../tool.ts";
import { namespaceMark } from "./namespace-mark.ts";
import { symbolKind } from "./symbol-kind.ts";

const SYMBOL_KINDS = [
  "function",
  "method",
  "class",
  "type",
  "constant",
  "module",
  "section",
] as const;

const TIMED_OUT = "The time ran out before all definitions were checked.";
const MAX_SIGNATURE_LENGTH = 140;
const MAX_DOC_LINE_LENGTH = 100;

export const findSymbol = defineTool({
  name: "find_symbol",
  title: "Find definitions",
  group: "search",
  description:
    "Find where a name is defined, also partial or misspelt, with signature, path:lines and users.",
  readOnly: true,
  input: {
    name: boundedText(300),
    // Every prompt carries these; the other words for them are understood as well.
    kind: symbolKind(SYMBOL_KINDS),
    near: v.optional(v.pipe(boundedText(4096), v.description("path:line of a use."))),
    path: pathGlob,
    language,
    limit: v.optional(wholeNumber(1, 100), 20),
    cursor,
    namespace: namespaces,
  },
  aliases: { query: "name", symbol: "name" },
  async run({ kind, ...rest }, { engine, principal, signal, deadline, emit }) {
    const opened = await engine();
    const request = { ...rest, symbolKind: kind, principal, signal, deadline };
    const result = await opened.findSymbols(request);
    if (result.symbols.length === 0 && !result.isPartial)
      throw notFound(rest.name, { ...rest, kind }, result);
    for (const item of itemsOf(rest.name, result)) emit(item);
    return { isRepeatable: result.isCacheable };
  },
});

function notFound(
  name: string,
  limits: Readonly<Partial<Record<"kind" | "path" | "language", string | undefined>>>,
  { building, hint }: SymbolsResult,
): SvcError {
  const { kind, path, language: spoken } = limits;
  const limited = Object.entries({ kind, path, language: spoken })
    .filter(([, value]) => value !== undefined)
    .map(([limit]) => limit);
  const advice =
    limited.length > 0
      ? `Try without ${limited.join(" and ")}, or use search_context.`
      : "Try search_context with its words, or search_text with its exact text.";
  const found = hint === undefined ? "" : `${hint} `;
  const note = building === undefined ? "" : " The index is still being built.";
  const where = limited.length > 0 ? ` with this ${limited.join(" and ")}` : "";
  return new SvcError("SYMBOL_NOT_FOUND", `No symbol "${name}"${where}.`, {
    hint: `${found}${advice}${note}`,
  });
}

/** One item with one line per definition, then the footer. */
function itemsOf(name: string, result: SymbolsResult): readonly ContentItem[] {
  const { symbols, isApproximate } = result;
  const footer = footerOf(result);
  return [
    ...(isApproximate ? [{ text: `No symbol "${name}"; nearest:` }] : []),
    ...symbols.map((symbol) => ({ text: symbolLine(symbol), meta: metaOf(symbol) })),
    ...(footer === "" ? [] : [{ text: footer }]),
  ];
}

/** `method open(): void — Opens it.  src/session.ts:12-40 in Session  (used in 5 files)` */
export function symbolLine(symbol: FoundSymbol): string {
  const { kind, docLine, qualifiedName, name, users, changed } = symbol;
  const docs = docLine === "" ? "" : ` — ${clipped(docLine, MAX_DOC_LINE_LENGTH)}`;
  const signature = clipped(shortSignature(symbol), MAX_SIGNATURE_LENGTH);
  const owner =
    kind === "section" ? "" : qualifiedName.slice(0, qualifiedName.lastIndexOf(name)).slice(0, -1);
  return [
    `${kind} ${signature}${docs}`,
    `${locationText(symbol)}${owner === "" ? "" : ` in ${owner}`}${namespaceMark(symbol)}`,
    ...(users === 0 ? [] : [usersText(symbol)]),
    ...(changed ? ["(changed since indexing)"] : []),
  ].join("  ");
}

function usersText({ users, areUsersByName }: FoundSymbol): string {
  const count = users === 1 ? "1 file" : `${users} files`;
  return areUsersByName ? `(name used in ${count})` : `(used in ${count})`;
}

function clipped(text: string, limit: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit - 1).trimEnd()}…`;
}

function metaOf(symbol: FoundSymbol): Record<string, unknown> {
  const { path, startLine, endLine, nameLine, qualifiedName, kind, access, match, users } = symbol;
  const own = symbol.namespace === undefined ? {} : { namespace: symbol.namespace };
  const location = { ...own, path, startLine, endLine, ...placeOf(symbol), nameLine };
  return { "dev.svc/symbol": { ...location, symbol: qualifiedName, kind, access, match, users } };
}

function footerOf(result: SymbolsResult): string {
  const { total, similar, nextCursor, building, isPartial, missing = [] } = result;
  const lines = [...missing, ...(isPartial ? [TIMED_OUT] : [])];
  if (similar.length > 0 && nextCursor !== undefined) {
    lines.push(`Similar names: ${similar.join(", ")}. See them: cursor "${nextCursor}".`);
  } else if (nextCursor !== undefined) {
    lines.push(`${total} in all. More: cursor "${nextCursor}".`);
  }
  if (building !== undefined) lines.push("The index is still being built: there may be more.");
  return lines.join("\n");
}
