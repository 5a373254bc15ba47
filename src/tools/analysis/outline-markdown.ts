// An outline as Markdown, for a prompt or a page. The same outline always has the same text.

import type {
  OutlineFile,
  OutlineFolder,
  OutlineResult,
  OutlineSymbol,
} from "../../engine/api/outline.ts";
import { withoutModifiers } from "../../engine/symbols/short-signature.ts";

const MAX_SIGNATURE_CHARS = 120;

/** Returns the lines. The heading is the path, or the namespace for all files; and the commit `at`, if it is of one. */
export function outlineMarkdown(
  { namespace, outline }: OutlineResult,
  at?: string,
): readonly string[] {
  const name = outline.path === "" ? namespace : code(outline.path);
  const title = `# ${name}${at === undefined ? "" : ` at ${code(at)}`}`;
  if (outline.kind === "file") {
    const { language, lines, symbols, omitted } = outline;
    const facts = [...(language === "" ? [] : [language]), `${lines} lines`].join(", ");
    return withoutGaps([
      title,
      "",
      `${facts}.`,
      "",
      ...symbols.map((one) => item(one.depth, symbol(one))),
      ...leftOut(omitted, "definitions"),
    ]);
  }
  const { files, languages, folders, omitted } = outline;
  return withoutGaps([
    title,
    "",
    factsOf(files, languages),
    ...folders.flatMap((folder) => linesOf(folder, outline.path)),
    ...leftOut(omitted.files, "files"),
  ]);
}

function linesOf(
  { path, files, languages, shown }: OutlineFolder,
  root: string,
): readonly string[] {
  const heading =
    path === root ? [] : ["", `## ${code(`${path}/`)}`, "", factsOf(files, languages)];
  const described = shown.filter(({ symbols }) => symbols.length > 0);
  const names = shown.filter(({ symbols }) => symbols.length === 0);
  return [
    ...heading,
    "",
    ...described.flatMap(linesOfFile),
    ...(names.length === 0 ? [] : [`- ${names.map((file) => code(file.path)).join(", ")}`]),
  ];
}

function linesOfFile({ path, symbols }: OutlineFile): readonly string[] {
  return [`- ${code(path)}`, ...symbols.map((one) => item(1, symbol(one)))];
}

function item(depth: number, text: string): string {
  return `${"  ".repeat(depth)}- ${text}`;
}

function symbol({ signature, startLine, endLine }: OutlineSymbol): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return `${code(withoutModifiers(signature).slice(0, MAX_SIGNATURE_CHARS).trimEnd())} ${lines}`;
}

function factsOf(files: number, languages: readonly string[]): string {
  const counted = files === 1 ? "1 file" : `${files} files`;
  return languages.length === 0 ? `${counted}.` : `${counted}: ${languages.join(", ")}.`;
}

function leftOut(count: number, what: string): readonly string[] {
  return count === 0 ? [] : ["", `${count} more ${what} left out.`];
}

/** Text as code, whatever backticks it contains. */
function code(text: string): string {
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return longest === 0 ? `\`${text}\`` : `${fence} ${text} ${fence}`;
}

/** Leaves out empty lines after empty lines, and at the end. */
function withoutGaps(lines: readonly string[]): readonly string[] {
  return lines.filter((line, at) => line !== "" || (lines[at + 1] ?? "") !== "");
}
