// Formats an outline as lines of text. The same text is measured against the budget and shown.

import { truncateAt } from "../../base/truncate-at.ts";
import type {
  FileOutline,
  FolderOutline,
  OutlineFile,
  OutlineFolder,
  OutlineSymbol,
} from "../api/outline.ts";
import { withoutModifiers } from "../symbols/short-signature.ts";

const MAX_SIGNATURE_CHARS = 120;

/** How the note about what is left out names the arguments that show more. */
export interface OutlineWords {
  readonly limit: string;
  readonly depth: string;
  readonly read: string;
  readonly folder: (path: string) => string;
}

const TOOL_WORDS: OutlineWords = {
  limit: "max_tokens",
  depth: "depth",
  read: "read_context",
  folder: (path) => `path "${path}"`,
};

export function outlineText(outline: FileOutline | FolderOutline, words = TOOL_WORDS): string {
  const lines = outline.kind === "file" ? fileLines(outline, words) : folderLines(outline, words);
  return lines.join("\n");
}

function fileLines(outline: FileOutline, words: OutlineWords): readonly string[] {
  const { path, language, lines, bytes, changed, symbols, omitted } = outline;
  const facts = [
    ...(language === "" ? [] : [language]),
    lines === 1 ? "1 line" : `${lines} lines`,
    ...(symbols.length + omitted === 0 ? [sizeText(bytes), "no symbols"] : []),
    ...(changed ? ["changed since indexing"] : []),
  ];
  const rest = `${counted(omitted, "symbol")} left out: raise ${words.limit}, or ${words.read}.`;
  return [
    `${path}  ${facts.join(", ")}`,
    ...symbols.map((symbol) => `${"  ".repeat(symbol.depth)}${symbolText(symbol, path)}`),
    ...(omitted === 0 ? [] : [rest]),
  ];
}

/** `open(path: string): void  12-40` */
function symbolText({ signature, startLine, endLine, place }: OutlineSymbol, path: string): string {
  const text = withoutModifiers(signature);
  const isLong = text.length > MAX_SIGNATURE_CHARS;
  const clipped = isLong ? `${truncateAt(text, MAX_SIGNATURE_CHARS - 1).trimEnd()}…` : text;
  const lines = `${startLine}${endLine === startLine ? "" : `-${endLine}`}`;
  return `${clipped}  ${place === undefined ? lines : `${place.slice(path.length + 1)}  ${lines}`}`;
}

function folderLines(outline: FolderOutline, words: OutlineWords): readonly string[] {
  const { path, files, languages, folders } = outline;
  return [
    `${path === "" ? "." : `${path}/`}  ${factsText(files, languages)}`,
    ...folders.flatMap((folder) => linesOfFolder(outline, folder)),
    ...leftOutLines(outline, words),
  ];
}

function linesOfFolder({ path }: FolderOutline, folder: OutlineFolder): readonly string[] {
  const isSame = folder.path === path;
  const name = `${belowOf(path, folder.path)}/  ${factsText(folder.files, folder.languages)}`;
  const groups = Map.groupBy(folder.shown, (file) => folderOf(file.path));
  const indent = isSame ? "" : "  ";
  return [
    ...(isSame ? [] : [name]),
    ...[...groups].flatMap(([group, files]) => {
      const below = belowOf(folder.path, group);
      const described = files.filter(({ symbols }) => symbols.length > 0);
      const names = files.filter(({ symbols }) => symbols.length === 0);
      const lines = [
        ...described.flatMap(linesOfFile),
        ...(names.length === 0 ? [] : [names.map((file) => nameOf(file.path)).join(", ")]),
      ];
      return below === ""
        ? lines.map((line) => indent + line)
        : [`${indent}${below}/`, ...lines.map((line) => `${indent}  ${line}`)];
    }),
  ];
}

function linesOfFile({ path, symbols }: OutlineFile): readonly string[] {
  return [nameOf(path), ...symbols.map((symbol) => `  ${symbolText(symbol, path)}`)];
}

/** How many characters longer the text of a folder is, at least, with these symbols than with only the file's name. */
export function leastAddedLength({ path, symbols }: OutlineFile): number {
  if (symbols.length === 0) return 0;
  // The name takes a line, which costs a character less than ", ". A symbol has a line end and two blanks before it.
  return symbols.reduce((sum, symbol) => sum + symbolText(symbol, path).length + 3, -1);
}

/** How many characters longer `mostFutureLength` is, at most, with one more file. */
export function mostAddedLength({ path, symbols }: OutlineFile): number {
  // A line for the folder and one for the name: two line ends, and up to 2 and 4 blanks before them.
  const lines = path.length + 9;
  // Up to 6 blanks before it, and a line end.
  return symbols.reduce((sum, symbol) => sum + symbolText(symbol, path).length + 7, lines);
}

/** How long the text of a folder with these files can become when other files that it leaves out are shown elsewhere. */
export function mostFutureLength(outline: FolderOutline): number {
  // The last line can name another folder.
  const longestPath = Math.max(...outline.folders.map(({ path }) => path.length));
  return outlineText(outline).length + longestPath;
}

function leftOutLines(
  { path, folders, omitted }: FolderOutline,
  words: OutlineWords,
): readonly string[] {
  if (omitted.files + omitted.folders === 0) return [];
  const what = [
    ...(omitted.folders === 0 ? [] : [counted(omitted.folders, "folder")]),
    ...(omitted.files === 0 ? [] : [counted(omitted.files, "file")]),
  ];
  const next = folders.find((folder) => folder.path !== path && folder.shown.length < folder.files);
  const how = next === undefined ? "" : `${words.folder(next.path)}, or `;
  return [`Left out: ${what.join(" and ")}. More: ${how}more ${words.limit} or ${words.depth}.`];
}

function factsText(files: number, languages: readonly string[]): string {
  return [counted(files, "file"), ...languages].join(", ");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function sizeText(bytes: number): string {
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
}

function belowOf(folder: string, path: string): string {
  return folder === "" ? path : path.slice(folder.length + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
