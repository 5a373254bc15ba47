import { describe, expect, it, test } from "vitest";

import {
  DOCUMENT_EXTENSIONS,
  isDocumentFormat,
} from "../../src/base/documents/document-formats.ts";
import { extractDocument } from "../../src/extract/extract-document.ts";
import { paragraph, wordFile } from "../helpers/office-files.ts";
import { pdfOf } from "../helpers/pdf.ts";

const FORMATS = Object.keys(DOCUMENT_EXTENSIONS).filter(isDocumentFormat);

describe("extractDocument", () => {
  it("reads each format by its own reader", async () => {
    const notebook = Buffer.from(
      JSON.stringify({ nbformat: 4, metadata: {}, cells: [{ cell_type: "raw", source: "Tides" }] }),
    );
    const pdf = pdfOf([{ texts: [{ text: "Tides", y: 700 }] }]);
    const word = wordFile(paragraph("Tides"));
    const mail = Buffer.from("Subject: Tides\n\nHigh water.\n");
    expect((await extractDocument("notebook", notebook)).unit).toBe("cell");
    expect((await extractDocument("pdf", pdf)).unit).toBe("page");
    expect((await extractDocument("word", word)).unit).toBe("section");
    expect((await extractDocument("email", mail)).text).toContain("High water.");
  });

  test.each(FORMATS)(
    "has no text for a %s file that is empty, or of another format",
    async (format) => {
      const others = [Buffer.alloc(0), Buffer.from([0, 1, 2, 3, 255])];
      for (const bytes of others) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        await expect(extractDocument(format, bytes)).rejects.toBeInstanceOf(Error);
      }
    },
  );
});
