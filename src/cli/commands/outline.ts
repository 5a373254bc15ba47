import { placeOf } from "../../tools/place-of.ts";
import type { OutlineResult, OutlineSymbol } from "../../engine/api/outline.ts";
import { outlineMarkdown } from "../../tools/analysis/outline-markdown.ts";
import { outlineLines } from "../../tools/analysis/outline.ts";
import { queryUpToDate } from "../bring-up-to-date.ts";
import { AT_FLAG, defineCommand, JSON_FLAG, MAX_TOKENS_FLAG } from "../command.ts";
import { openProject } from "../open-project.ts";
import { requireOneFormat } from "../output-flags.ts";
import { PAGER_FLAG, withPager } from "../pager.ts";
import { printJson } from "../print/json.ts";
import { safeLine } from "../print/safe-text.ts";

const CHARS_PER_TOKEN = 4;
/** The space for the outline when its Markdown must fit. */
const MARKDOWN_SHARES = [1, 0.85, 0.7, 0.55, 0.4] as const;

export const command = defineCommand({
  description:
    "Shows the folders of a project with their most important files and most used definitions, or the tree of definitions or headings of a file. Omits less important entries to stay within --max-tokens.",
  args: [
    {
      name: "path",
      suggests: "file",
      description: "File or folder (default: the whole project).",
    },
  ],
  flags: {
    query: {
      type: "string",
      placeholder: "TEXT",
      description: "Start with the files and definitions about this question or these keywords.",
    },
    depth: {
      type: "integer",
      min: 1,
      max: 20,
      placeholder: "N",
      description: "Maximum depth of nested folders or definitions.",
    },
    maxTokens: MAX_TOKENS_FLAG,
    markdown: {
      type: "boolean",
      description:
        "Print Markdown, for a prompt or a page. The same index always gives the same text.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Use this namespace." },
    at: AT_FLAG,
    pager: PAGER_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc outline", description: "Show a map of the project." },
    { run: "svc outline src/cli/run.ts", description: "Show the definitions of a file." },
    {
      run: "svc outline --markdown --max-tokens 2000 > MAP.md",
      description: "Write a map of the project for a prompt.",
    },
    {
      run: 'svc outline --query "retry of uploads" --max-tokens 1000',
      description: "Show a map of one subject, in 1,000 tokens.",
    },
  ],
  async run({ args, flags }, context) {
    const { app, io } = context;
    const choice = { path: args.path, namespace: flags.namespace, isOfIndex: true };
    const project = await openProject(context, choice);
    const { query, depth, maxTokens, markdown, json } = flags;
    requireOneFormat({ json, markdown });
    const request = { path: args.path, query, depth, principal: app.owner };
    const outlineOf = (tokens: number): Promise<OutlineResult> =>
      queryUpToDate(
        context,
        project,
        (where) => project.engine.outline({ ...request, maxTokens: tokens, ...where }),
        flags.at,
      );
    if (markdown) {
      const text = await fittingMarkdown(outlineOf, maxTokens, flags.at);
      await withPager(context, flags.pager, (paged) => paged.io.out(text));
      return;
    }
    const result = await outlineOf(maxTokens);
    if (json) printJson(io, jsonOf(result));
    else {
      await withPager(context, flags.pager, (paged) => {
        for (const line of outlineLines(result)) paged.io.out(`${safeLine(line)}\n`);
      });
    }
  },
});

/** Markdown is longer than the text that the engine fits into the tokens: then it asks for less. */
async function fittingMarkdown(
  outlineOf: (tokens: number) => Promise<OutlineResult>,
  tokens: number,
  at: string | undefined,
): Promise<string> {
  let text = "";
  for (const share of MARKDOWN_SHARES) {
    // oxlint-disable-next-line no-await-in-loop -- the next one only if this is too long
    const outline = await outlineOf(Math.max(1, Math.floor(tokens * share)));
    const lines = outlineMarkdown(outline, at);
    text = lines.map((line) => `${safeLine(line)}\n`).join("");
    if (text.length <= tokens * CHARS_PER_TOKEN) break;
  }
  return text;
}

function jsonOf({ namespace, generation, outline }: OutlineResult): unknown {
  const { kind, path } = outline;
  const head = { namespace, generation, kind, path };
  if (outline.kind === "file") {
    const { language, lines, bytes, symbols, omitted } = outline;
    return { ...head, language, lines, bytes, symbols: symbols.map(recordOf), left_out: omitted };
  }
  return {
    ...head,
    files: outline.files,
    languages: outline.languages,
    folders: outline.folders.map((folder) => ({
      path: folder.path,
      files: folder.files,
      languages: folder.languages,
      shown: folder.shown.map((file) => ({
        path: file.path,
        language: file.language,
        symbols: file.symbols.map(recordOf),
      })),
    })),
    left_out: outline.omitted,
  };
}

function recordOf(symbol: OutlineSymbol): unknown {
  return {
    name: symbol.name,
    qualified_name: symbol.qualifiedName,
    kind: symbol.kind,
    access: symbol.access,
    signature: symbol.signature,
    start_line: symbol.startLine,
    end_line: symbol.endLine,
    ...placeOf(symbol),
    depth: symbol.depth,
  };
}
