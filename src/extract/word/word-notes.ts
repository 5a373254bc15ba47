import { MAX_DOCUMENT_TEXT_CHARS } from "../../base/documents/document-formats.ts";
import type { DocumentParts } from "../archive/document-parts.ts";
import { attributeOf, type XmlAttributes } from "../archive/xml-reader.ts";
import { PlainLines } from "../block-lines.ts";
import { WordBody, type WordContext } from "./word-body.ts";

/** Returns the footnotes and endnotes that the text refers to, in the order of their numbers: "[1] Text". */
export function readNotes(
  parts: DocumentParts,
  names: readonly (string | undefined)[],
  context: WordContext,
): readonly string[] {
  const notes: string[] = [];
  for (const name of names) {
    readEach(parts, name, context, (kind, attributes, text) => {
      const number = context.notes.get(`${kind} ${attributeOf(attributes, "id")}`);
      if (number !== undefined) notes[number - 1] = `[${number}] ${text}`;
    });
  }
  return notes.filter((note) => note !== undefined);
}

/** Returns the comments: "Comment by Ann: Text". */
export function readComments(
  parts: DocumentParts,
  name: string | undefined,
  context: WordContext,
): readonly string[] {
  const comments: string[] = [];
  readEach(parts, name, context, (_, attributes, text) => {
    const author = attributeOf(attributes, "author") ?? "";
    if (text !== "") comments.push(`Comment${author === "" ? "" : ` by ${author}`}: ${text}`);
  });
  return comments;
}

/** Passes the text of each note of a part on, until there is as much of it as a document may have. */
function readEach(
  parts: DocumentParts,
  part: string | undefined,
  context: WordContext,
  take: (kind: string, attributes: XmlAttributes, text: string) => void,
): void {
  if (part === undefined) return;
  const lines = new PlainLines();
  const body = new WordBody(lines, context);
  let current: XmlAttributes = {};
  let chars = 0;
  parts.readXml(part, {
    open(name, attributes) {
      if (isNote(name)) current = attributes;
      return body.open(name, attributes);
    },
    text(text) {
      body.text(text);
    },
    close(name) {
      body.close(name);
      if (!isNote(name)) return;
      const text = lines.take();
      chars += text.length;
      take(name, current, text);
    },
    isDone: () => chars > MAX_DOCUMENT_TEXT_CHARS,
  });
}

function isNote(name: string): boolean {
  return name === "footnote" || name === "endnote" || name === "comment";
}
