import { locationText } from "../../base/documents/places.ts";
import { outdatedNotes, outdatedRecord } from "../outdated-note.ts";
import { placeOf } from "../place-of.ts";
import * as v from "valibot";

import { SvcError } from "../../base/errors.ts";
import type { Passage, Reranker, SearchResult } from "../../engine/api/search.ts";
import { namespaceWords } from "../../sources/namespace-list.ts";
import {
  cursor,
  flag,
  FILE_KINDS,
  language,
  maxTokens,
  namespaces,
  pathGlob,
  query,
  wholeNumber,
} from "../arguments.ts";
import { characterBudget } from "../budget.ts";
import { defineTool, type ContentItem } from "../tool.ts";
import { correctionNote } from "./correction-note.ts";
import { foldedMark, foldedNote } from "./folded-note.ts";
import { namespaceMark } from "./namespace-mark.ts";

/** Arguments of a search, for the tool and for `POST /v1/search`. */
export const SEARCH_ARGUMENTS = {
  query,
  path: pathGlob,
  language,
  kind: v.optional(
    v.union(
      [v.picklist(FILE_KINDS), v.array(v.picklist(FILE_KINDS))],
      "must be code, docs, tests or config",
    ),
  ),
  limit: v.optional(wholeNumber(1, 50), 10),
  max_tokens: maxTokens,
  all_copies: flag,
  cursor,
};

export const searchContext = defineTool({
  name: "search_context",
  title: "Search code and docs",
  group: "search",
  description:
    "Find code and docs that answer a question, keywords, error message or pasted code: start here if you know no name. Best passages first, with path:lines.",
  readOnly: true,
  hints: { "anthropic/alwaysLoad": true },
  input: {
    ...SEARCH_ARGUMENTS,
    rerank: v.pipe(flag, v.description("Needs a provider key.")),
    namespace: namespaces,
    explain: flag,
  },
  unlisted: ["explain", "all_copies"],
  errorCodes: { query: "INVALID_QUERY" },
  aliases: { pattern: "query", q: "query" },
  async run({ query: text, kind, max_tokens, all_copies, rerank, explain, ...rest }, context) {
    const { principal, signal, deadline, emit } = context;
    const opened = await context.engine();
    const result = await opened.search({
      ...rest,
      query: text,
      kinds: typeof kind === "string" ? [kind] : kind,
      maxTokens: max_tokens,
      allCopies: all_copies,
      reranker: rerank ? (context.reranker ?? noReranker) : undefined,
      principal,
      signal,
      deadline,
    });
    for (const item of itemsOf(result, max_tokens, explain)) emit(item);
    return { isRepeatable: result.isCacheable };
  },
});

const noReranker: Reranker = () =>
  Promise.reject(
    new SvcError("PROVIDER_ERROR", "The call has no key of a model provider.", {
      hint: "`svc serve --byok` accepts one in the header X-Provider-Key.",
    }),
  );

/** Passages, or only their headings when there is no room for the text, then the footer. */
function itemsOf(
  result: SearchResult,
  tokens: number,
  isExplained: boolean,
): readonly ContentItem[] {
  const correction = correctionNote(result);
  if (result.passages.length === 0)
    return withFacts([{ text: `${correction}\n${nothingFound(result)}`.trimStart() }], 0, []);
  const budget = characterBudget(tokens);
  const items: ContentItem[] = [];
  const shown: Passage[] = [];
  let pointers: string[] = [];
  const flush = (): void => {
    if (pointers.length > 0) items.push({ text: pointers.join("\n") });
    pointers = [];
  };
  const footer = footerOf(result);
  const local = localNote(result);
  budget.reserve(footer.length + (local?.text.length ?? 0));
  for (const note of [correction, surenessNote(result)]) {
    if (note !== "" && budget.tryTake(note)) items.push({ text: note });
  }
  for (const passage of result.passages) {
    const heading = [headingOf(passage), ...outdatedNotes(passage)].join("\n");
    const text = `${heading}\n${passage.text}`;
    if (passage.text !== "" && budget.tryTake(text)) {
      flush();
      shown.push(passage);
      items.push(passageItem(passage, text, isExplained));
    } else if (budget.tryTake(heading)) {
      pointers.push(heading);
    }
  }
  if (footer !== "") pointers.push(footer);
  flush();
  const all = local === undefined ? items : [...items, local];
  return withFacts(all, result.confidence, isExplained ? [] : shown.map(factsOf));
}

/** The beginning of an answer that is perhaps none. */
function surenessNote({ isWeak, isUnsure, confidence }: SearchResult): string {
  if (!isUnsure) return "";
  return isWeak
    ? `No good match (confidence ${confidence}); try search_text or other words. The nearest:`
    : `Low confidence (${confidence}): try search_text or other words if nothing here fits.`;
}

/** The last item has the confidence, and if there are any, a row for each passage that is shown, in their order. */
function withFacts(
  items: readonly ContentItem[],
  confidence: number,
  rows: readonly (readonly unknown[])[],
): readonly ContentItem[] {
  const facts = {
    "dev.svc/confidence": confidence,
    ...(rows.length === 0 ? {} : { "dev.svc/passages": rows }),
  };
  return items.map((item, at) =>
    at < items.length - 1 ? item : { ...item, meta: { ...item.meta, ...facts } },
  );
}

/** A note that the results have the local order, when the requested reranker failed. */
function localNote({ rerankFailure }: SearchResult): ContentItem | undefined {
  if (rerankFailure === undefined) return undefined;
  return {
    text: `Ranked locally: ${rerankFailure.detail}`,
    meta: { "dev.svc/rerank": { ranking: "local", error_code: rerankFailure.code } },
  };
}

function headingOf(passage: Passage): string {
  const { symbol, changed } = passage;
  const name = symbol === "" ? "" : `  ${symbol}`;
  const state = changed ? "  (changed since indexing)" : "";
  const marks = `${namespaceMark(passage)}${foldedMark(passage)}${state}`;
  return `${locationText(passage)}${name}${marks}`;
}

function passageItem(passage: Passage, text: string, isExplained: boolean): ContentItem {
  return isExplained ? { text, meta: explanation(passage) } : { text };
}

/** All that is known of a passage, with what ranked it. */
function explanation(passage: Passage): Record<string, unknown> {
  const { path, startLine, endLine, language: spoken, kind, symbol, score, confidence } = passage;
  const own = passage.namespace === undefined ? {} : { namespace: passage.namespace };
  const signals = Object.fromEntries(
    Object.entries(passage.signals).map(([name, value]) => [name, rounded(value)]),
  );
  const { copies, translations } = passage;
  const folded = copies.length + translations.length === 0 ? {} : { copies, translations };
  const lines = { startLine, endLine, ...placeOf(passage) };
  const facts = { ...own, path, ...lines, language: spoken, kind, symbol, ...folded };
  const gone = outdatedRecord(passage);
  return { "dev.svc/passage": { ...facts, ...gone, score: rounded(score), confidence, signals } };
}

/** The facts of a passage as a row: some clients put all of an answer into the prompt, names of members too. */
function factsOf(passage: Passage): readonly unknown[] {
  const { namespace: own, path, startLine, endLine, symbol, score, confidence } = passage;
  const row = [path, startLine, endLine, symbol, rounded(score), confidence];
  return own === undefined ? row : [...row, own];
}

/** To three digits. */
function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** Only an answer that folded something names this argument: every prompt would contain its schema. */
const FOLDED = "all_copies: true shows copies and translations.";

function footerOf({ passages, nextCursor, building, partial }: SearchResult): string {
  const lines = [...partial];
  if (passages.some((passage) => foldedNote(passage) !== "")) lines.push(FOLDED);
  if (building !== undefined) lines.push(buildingNote(building));
  if (nextCursor !== undefined) lines.push(`More results: cursor "${nextCursor}".`);
  return lines.join("\n");
}

function buildingNote({ stage, done, total }: NonNullable<SearchResult["building"]>): string {
  if (stage === "documents") {
    return `Documents are still being read (${done} of ${total}): answers from PDFs, office files and notebooks may be missing.`;
  }
  if (stage === "syntax") {
    return `The index is being refined (${done} of ${total} files parsed); some definitions may be missing.`;
  }
  return `The index is still being built (${done} of ${total} files read); there may be better answers soon.`;
}

function nothingFound({ namespace: name, building, partial, hint }: SearchResult): string {
  const advice =
    hint ?? "Try other words, drop the filters, or use search_text for an exact string.";
  const notes = [...partial, ...(building === undefined ? [] : [buildingNote(building)])];
  const note = notes.map((sentence) => ` ${sentence}`).join("");
  return `Nothing in ${namespaceWords(name)} matches. ${advice}${note}`;
}
