import * as v from "valibot";

import type { FolderOutline, OutlineResult } from "../../engine/api/outline.ts";
import { quoted } from "../../base/quoted.ts";
import { outlineText } from "../../engine/outline/outline-text.ts";
import { maxTokens, namespace, wholeNumber } from "../arguments.ts";
import { defineTool, type ContentItem } from "../tool.ts";

export const outline = defineTool({
  name: "outline",
  title: "Outline",
  group: "analysis",
  description:
    "Map the workspace or a folder, the most important first, or show a file's symbol or heading tree.",
  readOnly: true,
  input: {
    path: v.optional(
      v.pipe(
        v.string(),
        v.check((value) => value.length <= 4096, "must be at most 4,096 characters long"),
      ),
    ),
    depth: v.optional(wholeNumber(1, 20)),
    max_tokens: maxTokens,
    namespace,
  },
  aliases: { file: "path", folder: "path", target: "path" },
  async run({ max_tokens, ...rest }, { engine, principal, signal, emit }) {
    const opened = await engine();
    const result = await opened.outline({ ...rest, maxTokens: max_tokens, principal, signal });
    for (const item of itemsOf(result, max_tokens)) emit(item);
    return { isRepeatable: result.isCacheable };
  },
});

/** The answer as lines of text for a shell. */
export function outlineLines({ outline: shown }: OutlineResult): readonly string[] {
  return outlineText(shown, SHELL_WORDS).split("\n");
}

const SHELL_WORDS = {
  limit: "--max-tokens",
  depth: "--depth",
  read: "`svc read`",
  folder: (path: string) => `\`svc outline ${quoted(path)}\``,
};

const BUILDING = "The index is still being built: there may be more.";

function itemsOf(
  { outline: shown, building }: OutlineResult,
  tokens: number,
): readonly ContentItem[] {
  const text = outlineText(shown);
  const item = { text, meta: { "dev.svc/outline": metaOf(shown) } };
  const hasRoom = text.length + BUILDING.length + 2 <= tokens * 4;
  return building !== undefined && hasRoom ? [item, { text: BUILDING }] : [item];
}

function metaOf(shown: OutlineResult["outline"]): Record<string, unknown> {
  const { kind, path } = shown;
  if (shown.kind === "folder") return { kind, path, files: shown.files, shown: filesOf(shown) };
  return { kind, path, lines: shown.lines, symbols: shown.symbols.length, leftOut: shown.omitted };
}

function filesOf({ folders }: FolderOutline): readonly string[] {
  return folders.flatMap((folder) => folder.shown.map(({ path }) => path));
}
