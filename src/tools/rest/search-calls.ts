// Search for exact text, regular expressions and definitions over REST.
import { placeOf } from "../place-of.ts";
import { PLACE } from "../search/rest-schemas.ts";
import * as v from "valibot";

import { KIND_WORDS } from "../../engine/symbols/symbol-kinds.ts";
import {
  boundedText,
  cursor,
  FILE_KINDS,
  flag,
  languages,
  namespaces,
  pathGlobs,
  wholeNumber,
} from "../arguments.ts";
import { symbolKind } from "../search/symbol-kind.ts";
import { DEFINITION } from "./definition-schema.ts";
import { defineRestCall, engineRequest } from "./rest-call.ts";

const whole = v.pipe(v.number(), v.integer());
const OWN_NAMESPACE = v.pipe(
  v.optional(v.string()),
  v.description("Its namespace, if several were searched, absent otherwise."),
);
const MISSING = v.pipe(
  v.array(v.string()),
  v.description("One sentence for each of several namespaces that could not be searched."),
);
const LIMITS = {
  namespace:
    "One namespace, several (`gin,flask`), or `*` for all that the key can search. Required if it can search several.",
  path: "Glob over the paths of files; of several, each must match. `!` before a glob excludes.",
  language: "Only files in this language, or in one of several. `!` before a language excludes it.",
} as const;

export const restTextSearch = defineRestCall({
  path: "/v1/text",
  operationId: "searchText",
  summary: "List the lines that contain a text or match a regular expression",
  body: v.strictObject({
    pattern: boundedText(10_000),
    regex: flag,
    case_sensitive: flag,
    whole_word: flag,
    path: pathGlobs,
    language: languages,
    kind: v.optional(v.array(v.picklist(FILE_KINDS))),
    context_lines: v.optional(wholeNumber(0, 20), 0),
    limit: v.optional(wholeNumber(1, 500), 50),
    // It contains a path, in base64.
    cursor: v.optional(boundedText(8000)),
    namespace: namespaces,
  }),
  descriptions: {
    pattern: "Text of one line, or a regular expression in RE2 syntax.",
    regex: "Whether the pattern is a regular expression.",
    case_sensitive: "Whether upper and lower case differ.",
    whole_word: "Match whole words only.",
    ...LIMITS,
    kind: "Only files of these kinds.",
    context_lines: "Lines to show before and after each match.",
    limit: "Maximum matching lines per page.",
    cursor: "`next_cursor` of the previous page; the request must be the same.",
  },
  example: '{"pattern": "token_expired"}',
  answer: v.object({
    namespace: v.string(),
    generation: whole,
    matches: v.pipe(
      v.array(
        v.object({
          namespace: OWN_NAMESPACE,
          path: v.string(),
          language: v.pipe(v.string(), v.description("Empty when unknown.")),
          kind: v.picklist(FILE_KINDS),
          line: whole,
          place: PLACE,
          symbol: v.pipe(v.string(), v.description("The definition around it; may be empty.")),
          lines: v.array(v.object({ line: whole, text: v.string(), match: v.boolean() })),
        }),
      ),
      v.description("In the order of paths and lines."),
    ),
    total_lines: v.pipe(whole, v.description("A lower bound unless `complete`.")),
    total_files: whole,
    complete: v.boolean(),
    timed_out: v.boolean(),
    missing: MISSING,
    next_cursor: v.nullable(v.string()),
  }),
  subject: ({ pattern }) => pattern,
  run: async (input, context) => {
    const result = await context.engine.searchText({
      ...engineRequest(input, context),
      pattern: input.pattern,
      isRegex: input.regex,
      caseSensitive: input.case_sensitive,
      wholeWord: input.whole_word,
      contextLines: input.context_lines,
      output: "matches",
      path: input.path,
      language: input.language,
      kinds: input.kind,
      limit: input.limit,
      cursor: input.cursor,
    });
    const matches = result.matches.map(({ path, language, kind, line, symbol, lines, ...own }) => ({
      ...namespaceOf(own),
      ...placeOf(own),
      path,
      language,
      kind,
      line,
      symbol,
      lines: lines.map(({ line: number, text, isMatch }) => ({
        line: number,
        text,
        match: isMatch,
      })),
    }));
    const record = {
      namespace: result.namespace,
      generation: result.generation,
      matches,
      total_lines: result.totalMatches,
      total_files: result.totalFiles,
      complete: result.isComplete,
      timed_out: result.isPartial,
      missing: [...(result.missing ?? [])],
      next_cursor: result.nextCursor ?? null,
    };
    const shown = matches.flatMap(({ lines }) => lines);
    const characters = shown.reduce((sum, { text }) => sum + text.length, 0);
    return { record, items: matches.length, characters };
  },
});

export const restSymbolSearch = defineRestCall({
  path: "/v1/symbols",
  operationId: "findSymbols",
  summary: "Find the definitions of a name, also of a part of it or misspelt",
  body: v.strictObject({
    name: boundedText(300),
    kind: symbolKind(KIND_WORDS),
    near: v.optional(boundedText(4096)),
    path: pathGlobs,
    language: languages,
    limit: v.optional(wholeNumber(1, 100), 20),
    cursor,
    namespace: namespaces,
  }),
  descriptions: {
    name: "A name, or parts of one, qualified or not.",
    kind: "What it may be called in any language.",
    near: "A place that uses the name, as path or path:line: the definition that it uses comes first. One namespace only.",
    ...LIMITS,
    limit: "Maximum definitions per page.",
    cursor: "`next_cursor` of the previous page; the request must be the same.",
  },
  example: '{"name": "parseConfig"}',
  answer: v.object({
    namespace: v.string(),
    generation: whole,
    symbols: v.pipe(
      v.array(
        v.object({
          namespace: OWN_NAMESPACE,
          ...DEFINITION,
          language: v.string(),
          signature: v.string(),
          doc: v.string(),
          used_in_files: whole,
        }),
      ),
      v.description("Most likely first."),
    ),
    total: whole,
    approximate: v.pipe(v.boolean(), v.description("True when no definition has this name.")),
    timed_out: v.boolean(),
    missing: MISSING,
    next_cursor: v.nullable(v.string()),
  }),
  subject: ({ name }) => name,
  run: async (input, context) => {
    const { name, near, path, language, limit, cursor: from, kind } = input;
    const result = await context.engine.findSymbols({
      ...engineRequest(input, context),
      name,
      symbolKind: kind,
      near,
      path,
      language,
      limit,
      cursor: from,
    });
    const symbols = result.symbols.map((symbol) => ({
      ...namespaceOf(symbol),
      path: symbol.path,
      start_line: symbol.startLine,
      end_line: symbol.endLine,
      ...placeOf(symbol),
      name_line: symbol.nameLine,
      name: symbol.name,
      symbol: symbol.qualifiedName,
      kind: symbol.kind,
      language: symbol.language,
      signature: symbol.signature,
      doc: symbol.docLine,
      used_in_files: symbol.users,
    }));
    const record = {
      namespace: result.namespace,
      generation: result.generation,
      symbols,
      total: result.total,
      approximate: result.isApproximate,
      timed_out: result.isPartial,
      missing: [...(result.missing ?? [])],
      next_cursor: result.nextCursor ?? null,
    };
    const characters = symbols.reduce(
      (sum, { signature, doc }) => sum + signature.length + doc.length,
      0,
    );
    return { record, items: symbols.length, characters };
  },
});

/** The member of a result of several namespaces. */
function namespaceOf({ namespace }: { readonly namespace?: string }): { namespace?: string } {
  return namespace === undefined ? {} : { namespace };
}
