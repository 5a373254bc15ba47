import type { DocumentText } from "../../src/base/documents/document.ts";
import { extractNotebook } from "../../src/extract/notebook/extract-notebook.ts";

/**
 * A stored notebook, with a Markdown cell for each text that begins with a number sign, and code cells for the others.
 */
export function notebookOf(cells: readonly string[], language = "python"): string {
  return JSON.stringify({
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { language_info: { name: language } },
    cells: cells.map((source) => ({
      cell_type: source.startsWith("#") ? "markdown" : "code",
      metadata: {},
      source,
      outputs: [],
    })),
  });
}

export function notebookText(cells: readonly string[], language = "python"): DocumentText {
  return extractNotebook(Buffer.from(notebookOf(cells, language)));
}
