import type { DocumentText } from "../../src/base/documents/document.ts";
import { extractNotebook } from "../../src/extract/notebook/extract-notebook.ts";

/** A cell of Markdown if it begins with a number sign, else of code. */
export function notebookText(cells: readonly string[], language = "python"): DocumentText {
  return extractNotebook(
    Buffer.from(
      JSON.stringify({
        nbformat: 4,
        metadata: { language_info: { name: language } },
        cells: cells.map((source) => ({
          cell_type: source.startsWith("#") ? "markdown" : "code",
          metadata: {},
          source,
          outputs: [],
        })),
      }),
    ),
  );
}
