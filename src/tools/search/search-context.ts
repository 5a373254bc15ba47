import * as v from "valibot";

import { SvcError } from "../../base/errors.ts";
import type { Passage, Reranker, SearchAnswer } from "../../engine/engine.ts";
import {
  cursor,
  flag,
  KINDS,
  language,
  maxTokens,
  namespace,
  pathGlob,
  query,
  wholeNumber,
} from "../arguments.ts";
import { characterBudget } from "../budget.ts";
import { defineTool, type Item } from "../tool.ts";
import { respellingNote } from "./respelling-note.ts";

/** What may be asked, wherever it is asked. */
export const SEARCH_ARGUMENTS = {
  query,
  path: pathGlob,
  language,
  kind: v.optional(
    v.union([v.picklist(KINDS), v.array(v.picklist(KINDS))], "must be code, docs, tests or config"),
  ),
  limit: v.optional(wholeNumber(1, 50), 10),
  max_tokens: maxTokens,
  cursor,
};

export const searchContext = defineTool({
  name: "search_context",
  title: "Search code and docs",
  group: "search",
  description:
    "Find code and docs that answer a question, keywords, error message or pasted code: begin here when you know no name. Best passages first, with path:lines.",
  readOnly: true,
  hints: { "anthropic/alwaysLoad": true },
  input: {
    ...SEARCH_ARGUMENTS,
    rerank: v.pipe(flag, v.description("Needs a provider key.")),
    namespace,
  },
  codeFor: { query: "INVALID_QUERY" },
  aliases: { pattern: "query" },
  async run({ query: text, kind, max_tokens, rerank, ...rest }, context) {
    const { caller, signal, answerBy, emit } = context;
    const opened = await context.engine();
    const answer = await opened.search({
      ...rest,
      query: text,
      kinds: typeof kind === "string" ? [kind] : kind,
      maxTokens: max_tokens,
      reranker: rerank ? (context.reranker ?? noReranker) : undefined,
      caller,
      signal,
      answerBy,
    });
    for (const item of itemsOf(answer, max_tokens)) emit(item);
    return { repeatable: answer.isRepeatable };
  },
});

const noReranker: Reranker = () =>
  Promise.reject(
    new SvcError("PROVIDER_ERROR", "No key of a model provider came with the call.", {
      hint: "`svc serve --byok` takes one in the header X-Provider-Key.",
    }),
  );

/** How an answer begins whose best passage is a weak match. */
const NOTHING_GOOD = "No good match; the nearest:";

/** Passages, of those without room for text the places alone, then what was left out. */
function itemsOf(answer: SearchAnswer, tokens: number): readonly Item[] {
  const respelling = respellingNote(answer);
  if (answer.passages.length === 0)
    return [{ text: `${respelling}\n${nothingFound(answer)}`.trimStart() }];
  const budget = characterBudget(tokens);
  const items: Item[] = [];
  let pointers: string[] = [];
  const flush = (): void => {
    if (pointers.length > 0) items.push({ text: pointers.join("\n") });
    pointers = [];
  };
  const footer = footerOf(answer);
  const local = localNote(answer);
  budget.reserve(footer.length + (local?.text.length ?? 0));
  for (const note of [respelling, answer.isWeak ? NOTHING_GOOD : ""]) {
    if (note !== "" && budget.take(note)) items.push({ text: note });
  }
  for (const passage of answer.passages) {
    const heading = headingOf(passage);
    const text = `${heading}\n${passage.text}`;
    if (passage.text !== "" && budget.take(text)) {
      flush();
      items.push({ text, meta: metaOf(passage) });
    } else if (budget.take(heading)) {
      pointers.push(heading);
    }
  }
  if (footer !== "") pointers.push(footer);
  flush();
  return local === undefined ? items : [...items, local];
}

/** Says that the order is the local one, where another was asked for. */
function localNote({ rerankFailure }: SearchAnswer): Item | undefined {
  if (rerankFailure === undefined) return undefined;
  return {
    text: `Ranked locally: ${rerankFailure.detail}`,
    meta: { "dev.svc/rerank": { ranking: "local", error_code: rerankFailure.code } },
  };
}

function headingOf({ path, startLine, endLine, symbol, changed }: Passage): string {
  const name = symbol === "" ? "" : `  ${symbol}`;
  return `${path}:${startLine}-${endLine}${name}${changed ? "  (changed since indexing)" : ""}`;
}

function metaOf(passage: Passage): Record<string, unknown> {
  const { path, startLine, endLine, language: spoken, kind, symbol, score } = passage;
  const signals = Object.fromEntries(
    Object.entries(passage.signals).map(([name, value]) => [name, Math.round(value * 1000) / 1000]),
  );
  const place = { path, startLine, endLine, language: spoken, kind, symbol };
  return { "dev.svc/passage": { ...place, score, signals } };
}

function footerOf({ nextCursor, building, partial }: SearchAnswer): string {
  const lines = [...partial];
  if (building !== undefined) lines.push(buildingNote(building));
  if (nextCursor !== undefined) lines.push(`More results: cursor "${nextCursor}".`);
  return lines.join("\n");
}

function buildingNote({ stage, done, total }: NonNullable<SearchAnswer["building"]>): string {
  if (stage === "syntax") {
    return `The index is being refined (${done} of ${total} files parsed); definitions may yet be missing.`;
  }
  return `The index is still being built (${done} of ${total} files read); there may be better answers soon.`;
}

function nothingFound({ namespace: name, building }: SearchAnswer): string {
  const advice = "Try other words, drop the filters, or use search_text for an exact string.";
  const note = building === undefined ? "" : ` ${buildingNote(building)}`;
  return `Nothing in "${name}" matches. ${advice}${note}`;
}
