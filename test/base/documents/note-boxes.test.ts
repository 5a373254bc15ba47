import { describe, expect, it } from "vitest";

import { isNote, isNoteClass } from "../../../src/base/documents/note-boxes.ts";

describe("notes in boxes", () => {
  it("are known by a class or a type", () => {
    expect(isNote("div", { class: "wide Note" })).toBe(true);
    expect(isNote("aside", { "epub:type": "warning" })).toBe(true);
    expect(isNoteClass("admonitionblock tip")).toBe(true);
  });

  it("are no other elements or classes", () => {
    expect(isNote("p", { class: "note" })).toBe(false);
    expect(isNote("div", {})).toBe(false);
    expect(isNoteClass("release-note notes tooltip")).toBe(false);
  });
});
