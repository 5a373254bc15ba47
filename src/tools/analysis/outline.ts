import * as v from "valibot";

import type { FolderOutline, OutlineAnswer } from "../../engine/engine.ts";
import { outlineText } from "../../engine/outline/outline-text.ts";
import { maxTokens, namespace, wholeNumber } from "../arguments.ts";
import { defineTool, type Item } from "../tool.ts";

export const outline = defineTool({
  name: "outline",
  title: "Outline",
  group: "analysis",
  description:
    "Map the workspace or a folder, the most important first, or show a file's symbol or heading tree. Then read_context.",
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
  async run({ max_tokens, ...rest }, { engine, caller, signal, emit }) {
    const opened = await engine();
    const answer = await opened.outline({ ...rest, maxTokens: max_tokens, caller, signal });
    for (const item of itemsOf(answer, max_tokens)) emit(item);
    return { repeatable: answer.isRepeatable };
  },
});

/** The answer as lines of text. */
export function outlineLines({ outline: shown }: OutlineAnswer): readonly string[] {
  return outlineText(shown).split("\n");
}

const BUILDING = "The index is still being built: there may be more.";

function itemsOf({ outline: shown, building }: OutlineAnswer, tokens: number): readonly Item[] {
  const text = outlineText(shown);
  const item = { text, meta: { "dev.svc/outline": metaOf(shown) } };
  const hasRoom = text.length + BUILDING.length + 2 <= tokens * 4;
  return building !== undefined && hasRoom ? [item, { text: BUILDING }] : [item];
}

function metaOf(shown: OutlineAnswer["outline"]): Record<string, unknown> {
  const { kind, path } = shown;
  if (shown.kind === "folder") return { kind, path, files: shown.files, shown: filesOf(shown) };
  return { kind, path, lines: shown.lines, symbols: shown.symbols.length, leftOut: shown.leftOut };
}

function filesOf({ folders }: FolderOutline): readonly string[] {
  return folders.flatMap((folder) => folder.shown.map(({ path }) => path));
}
