import * as v from "valibot";

import type { TextMatch, TextSearchResult } from "../../engine/api/search-text.ts";
import { flag, language, namespaces, pathGlob, boundedText, wholeNumber } from "../arguments.ts";
import { defineTool, type ContentItem } from "../tool.ts";
import { namespaceMark } from "./namespace-mark.ts";

/** Longer than other cursors: it contains a path, in base64. */
const cursor = v.optional(boundedText(8000));

export const searchText = defineTool({
  name: "search_text",
  title: "Find exact text",
  group: "search",
  description:
    "List or count all lines with an exact text or a regular expression (RE2), in comments, docs and config too.",
  readOnly: true,
  input: {
    pattern: v.pipe(
      v.string(),
      v.check((value) => value !== "", "must not be empty"),
      v.check((value) => value.length <= 10_000, "must be at most 10,000 characters long"),
    ),
    regex: flag,
    case_sensitive: flag,
    whole_word: flag,
    path: pathGlob,
    language,
    context_lines: v.optional(wholeNumber(0, 20), 0),
    output: v.optional(
      v.picklist(["matches", "files", "count"], "must be matches, files or count"),
      "matches",
    ),
    limit: v.optional(wholeNumber(1, 500), 50),
    cursor,
    namespace: namespaces,
  },
  aliases: { query: "pattern", text: "pattern" },
  async run(input, { engine, principal, signal, deadline, emit }) {
    const { pattern, regex, case_sensitive, whole_word, context_lines, ...rest } = input;
    const opened = await engine();
    const result = await opened.searchText({
      ...rest,
      pattern,
      isRegex: regex,
      caseSensitive: case_sensitive,
      wholeWord: whole_word,
      contextLines: context_lines,
      principal,
      signal,
      deadline,
    });
    for (const item of itemsOf(result, input)) emit(item);
    return { isRepeatable: result.isCacheable };
  },
});

/** One item per file, then the totals. */
function itemsOf(
  result: TextSearchResult,
  { output, pattern }: { output: string; pattern: string },
): readonly ContentItem[] {
  const { totalMatches, totalFiles, isComplete } = result;
  const totals = [...(result.missing ?? []), totalsOf(result, pattern)].join("\n");
  const meta = {
    "dev.svc/totals": { lines: totalMatches, files: totalFiles, complete: isComplete },
  };
  if (output === "files") {
    const lines = result.files.map((file) => `${file.path}: ${file.matches}${namespaceMark(file)}`);
    return [{ text: [...lines, totals].join("\n"), meta }];
  }
  const byFile = Map.groupBy(
    output === "count" ? [] : result.matches,
    (match) => match.path + namespaceMark(match),
  );
  const items = [...byFile].map(([heading, matches]) => ({
    text: `${heading}\n${matches.map(matchText).join("\n")}`,
    meta: { "dev.svc/matches": fileFacts(matches) },
  }));
  return [...items, { text: totals, meta }];
}

function fileFacts(matches: readonly TextMatch[]): Record<string, unknown> {
  const { path = "", namespace } = matches[0] ?? {};
  const lines = matches.map(({ line }) => line);
  return namespace === undefined ? { path, lines } : { namespace, path, lines };
}

function matchText({ path, place, lines, symbol }: TextMatch): string {
  // The path is above the lines.
  const mark = place === undefined ? "" : `  (${place.slice(path.length + 1)})`;
  return lines
    .map(({ line, text, isMatch }) => {
      const name = isMatch && symbol !== "" ? `  [${symbol}]` : "";
      return `${line}${isMatch ? `:` : "-"} ${text.trimEnd()}${name}${isMatch ? mark : ""}`;
    })
    .join("\n");
}

function totalsOf(
  { totalMatches, totalFiles, isComplete, isPartial, nextCursor, hint }: TextSearchResult,
  pattern: string,
): string {
  const more = nextCursor === undefined ? "" : ` More: cursor "${nextCursor}".`;
  if (totalMatches === 0) {
    const sought = JSON.stringify(pattern.slice(0, 100));
    return isPartial
      ? `No line matches ${sought} so far: the time ran out; narrow it with path.${more}`
      : [`No line matches ${sought}.`, ...(hint === undefined ? [] : [hint])].join(" ");
  }
  const lines = totalMatches === 1 ? "1 matching line" : `${totalMatches} matching lines`;
  const files = totalFiles === 1 ? "1 file" : `${totalFiles} files`;
  if (isComplete) return `${lines} in ${files}.${more}`;
  const why = isPartial
    ? ": the time ran out; narrow it with path"
    : "; use output count for exact totals";
  return `At least ${lines} in ${files}${why}.${more}`;
}
