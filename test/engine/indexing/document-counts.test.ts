import { describe, expect, it } from "vitest";

import { DocumentTally, documentGaps } from "../../../src/engine/indexing/document-counts.ts";

function notes(): {
  readonly note: (name: string) => string | undefined;
  readonly setNote: (name: string, value: string) => void;
} {
  const values = new Map<string, string>();
  return {
    note: (name) => values.get(name),
    setNote: (name, value) => void values.set(name, value),
  };
}

async function gapsIn({ note }: Pick<ReturnType<typeof notes>, "note">): Promise<unknown> {
  return documentGaps({ note: async (name) => note(name) });
}

describe("documentGaps", () => {
  it("is empty for an index without documents, and once all were read", async () => {
    const writer = notes();
    expect(await gapsIn(writer)).toEqual([]);
    const tally = new DocumentTally(writer);
    tally.setUnread(2);
    tally.setUnread(0);
    expect(await gapsIn(writer)).toEqual([]);
  });

  it("counts documents that were not read and those without text", async () => {
    const writer = notes();
    const tally = new DocumentTally(writer);
    tally.setUnread(1);
    tally.change("a.pdf", undefined, "document-encrypted");
    tally.change("b.docx", null, "too-large");
    tally.change("c.ipynb", "document-unread", null);
    tally.change("d.ts", undefined, "binary");
    expect(await gapsIn(writer)).toEqual([
      "Not searched: 1 document not read yet, 2 documents without text (encrypted, scanned or damaged); see the status.",
    ]);
  });

  it("goes on with the counts of the last run, and forgets documents that can be read or are gone", async () => {
    const writer = notes();
    const first = new DocumentTally(writer);
    first.change("a.pdf", undefined, "document-encrypted");
    first.change("b.pdf", undefined, "document-damaged");
    const second = new DocumentTally(writer);
    second.change("a.pdf", "document-encrypted", null);
    expect(await gapsIn(writer)).toEqual([
      "Not searched: 1 document without text (encrypted, scanned or damaged); see the status.",
    ]);
    second.change("b.pdf", "document-damaged", undefined);
    expect(await gapsIn(writer)).toEqual([]);
  });

  it("adds up the notes of several namespaces", async () => {
    const texts = "1 2\n0 3";
    expect(await documentGaps({ note: async () => texts })).toEqual([
      "Not searched: 1 document not read yet, 5 documents without text (encrypted, scanned or damaged); see the status.",
    ]);
  });
});
