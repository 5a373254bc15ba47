// Jupyter notebooks, of the formats 2 to 4 (https://nbformat.readthedocs.io): JSON with a list of cells. The source of a
// cell comes first in its place and keeps its line numbers, so that `nb.ipynb:cell 7:4` is its fourth line.
import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import { textOfMarkup } from "../../parse/sections/html-text.ts";
import { markdownParts } from "../../parse/sections/markdown.ts";
import { splitLines } from "../../parse/text-lines.ts";
import { DocumentWriter, type BlockHeading } from "../document-writer.ts";
import { languageOfCell, languageOfNotebook } from "./cell-language.ts";
import { hasMoreValues, isRecord, recordIn, textIn, type JsonRecord } from "./json-values.ts";
import { outputLines } from "./output-lines.ts";

/** More strings, numbers, lists and objects may need more memory than an extractor has. */
const MAX_VALUES = 2_000_000;
/** Images and other data in the text of a cell. */
const EMBEDDED_DATA = /(data:[\w.+-]{1,60}\/[\w.+-]{1,60};base64,)[A-Za-z0-9+/=]{40,}/gu;
/** A heading on one line, as Markdown allows it. */
const HTML_HEADING = /^[ \t]{0,3}<h([1-6])\b[^<>]{0,400}>(.{1,1000}?)<\/h[1-6]>/iu;
/** Line breaks of Unicode that editors of notebooks show as one line. */
// oxlint-disable-next-line no-control-regex -- as above
const OTHER_BREAKS = /[\u{b}\u{c}\u{85}\u{2028}\u{2029}]/gu;

/**
 * Returns the cells of a notebook in UTF-8, each a place: the source of the cell, then a line `Output:` and the
 * beginning of its text outputs. Throws DocumentError.
 */
export function extractNotebook(bytes: Uint8Array): DocumentText {
  const notebook = parseNotebook(bytes);
  const language = languageOfNotebook(recordIn(notebook, "metadata"));
  const writer = new DocumentWriter("cell");
  for (const [index, cell] of cellsOf(notebook).entries()) {
    if (writer.isFull) break;
    if (!isRecord(cell)) continue;
    writer.place(String(index + 1), 1);
    writeCell(writer, cell, language);
  }
  return writer.finish();
}

function parseNotebook(bytes: Uint8Array): JsonRecord {
  if (hasMoreValues(bytes, MAX_VALUES)) throw new DocumentError("document-too-large");
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(bytes));
  } catch (error) {
    throw new DocumentError("document-damaged", error);
  }
  if (!isRecord(parsed)) throw new DocumentError("document-damaged");
  return parsed;
}

/** Before format 4 a notebook had worksheets, of which only the first was ever used. */
function cellsOf(notebook: JsonRecord): readonly unknown[] {
  const { cells, worksheets } = notebook;
  if (Array.isArray(cells)) return cells;
  if (!Array.isArray(worksheets)) throw new DocumentError("document-damaged");
  return worksheets.flatMap((sheet: unknown) =>
    isRecord(sheet) && Array.isArray(sheet["cells"]) ? sheet["cells"] : [],
  );
}

function writeCell(writer: DocumentWriter, cell: JsonRecord, language: string): void {
  const source = cleanSource(textIn(cell, "source") || textIn(cell, "input"));
  const type = cell["cell_type"];
  if (type === "code") {
    writer.code(source, languageOfCell(cell, source, language));
    const lines = outputLines(cell["outputs"]);
    if (lines.length > 0) writer.block(["Output:", ...lines].join("\n"));
  } else if (type === "markdown") {
    writer.block(source, headingsOf(source));
  } else if (type === "heading") {
    const level = Number(cell["level"]);
    writer.block(source, [
      { line: 1, level: Number.isSafeInteger(level) ? level : 1, title: source },
    ]);
  } else {
    writer.block(source);
  }
}

function cleanSource(source: string): string {
  return source.replace(/\r\n?/gu, "\n").replace(OTHER_BREAKS, " ").replace(EMBEDDED_DATA, "$1…");
}

function headingsOf(source: string): readonly BlockHeading[] {
  // Front matter is only at the beginning of a file; a cell that begins with `---` begins with a rule.
  const lines = splitLines(`\n${source}`);
  const { headings, verbatim } = markdownParts(lines);
  const found = headings.map(({ line, level, title }) => ({ line: line - 1, level, title }));
  if (!/<h[1-6]\b/iu.test(source)) return found;
  for (let line = 2; line <= lines.count; line += 1) {
    const [, level, title = ""] =
      verbatim[line] === 1 ? [] : (HTML_HEADING.exec(lines.at(line)) ?? []);
    if (level !== undefined)
      found.push({ line: line - 1, level: Number(level), title: textOfMarkup(title) });
  }
  return found.toSorted((one, other) => one.line - other.line);
}
