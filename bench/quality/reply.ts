// Reads the result of a tool call: the files that the reply names, and its other text.
import * as v from "valibot";

import type { CorpusPaths } from "./corpus-paths.ts";
import { mentionsInJson } from "./reply-json.ts";
import { mentionsInText, type Mention } from "./reply-text.ts";

export interface Reply {
  /** Files in the order of the reply; a file may occur several times. */
  readonly mentions: readonly Mention[];
  readonly characters: number;
  /** The parts of the reply outside passages, at least one line each. */
  readonly notes: string;
}

/** The result of a query; empty if there was no reply. */
export interface Answer extends Reply {
  readonly ms: number;
  /** The reason for a missing reply. */
  readonly error?: string;
}

const RESULT = v.object({
  content: v.array(
    v.object({
      text: v.optional(v.string(), ""),
    }),
  ),
  structuredContent: v.optional(v.unknown()),
  isError: v.optional(v.boolean(), false),
});

/** The first line of an item that is a passage of a file: `src/a.ts:10-40  symbol`. */
const PLACE = /^\S.*:\d+-\d+(?: {2}|\n|$)/;

/** Reads the result of `tools/call`. Throws an error with the reply's text if the tool failed. */
export function readReply(result: unknown, paths: CorpusPaths): Reply {
  const { content, structuredContent, isError } = v.parse(RESULT, result);
  const text = content.map((item) => item.text).join("\n");
  if (isError) throw new Error(text);
  const structured = mentionsInJson(structuredContent, paths);
  return {
    mentions: structured.length > 0 ? structured : mentionsIn(text, paths),
    characters: text.length,
    notes: content
      .filter((item) => !PLACE.test(item.text))
      .map((item) => item.text)
      .join("\n"),
  };
}

/** Reads any text: JSON, lines of JSON, a fenced block of JSON that names files, otherwise the lines themselves. */
function mentionsIn(text: string, paths: CorpusPaths): readonly Mention[] {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    const value = parsed(trimmed) ?? parsedLines(trimmed);
    if (value !== undefined) return mentionsInJson(value, paths);
  }
  const block = /```json\s*\n([\s\S]*?)\n```/.exec(trimmed)?.[1];
  const named = block === undefined ? [] : mentionsInJson(parsed(block), paths);
  return named.length > 0 ? named : mentionsInText(text, paths);
}

function parsedLines(text: string): unknown {
  const values = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parsed);
  return values.includes(undefined) ? undefined : values;
}

/** Undefined if it is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
