import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import { DocumentParts } from "../archive/document-parts.ts";
import { BlockLines } from "../block-lines.ts";
import { DocumentWriter } from "../document-writer.ts";
import { isOpenDocument } from "../opendocument/opendocument-package.ts";
import { writeOpenDocumentText } from "../opendocument/read-opendocument.ts";
import { WordBody, type WordContext } from "./word-body.ts";
import { WordLists } from "./word-lists.ts";
import { readComments, readNotes } from "./word-notes.ts";
import { WordStyles } from "./word-styles.ts";

/**
 * Returns the text of a DOCX or ODT file: headings, paragraphs, lists, tables, code, and at the end notes and comments.
 * Its places are sections. Throws DocumentError.
 */
export function extractWord(bytes: Uint8Array): DocumentText {
  const parts = new DocumentParts(bytes);
  const writer = new DocumentWriter("section");
  if (isOpenDocument(parts)) writeOpenDocumentText(parts, writer);
  else writeWordText(parts, writer);
  return parts.finish(writer);
}

function writeWordText(parts: DocumentParts, writer: DocumentWriter): void {
  const main = parts.mainPart("word/document.xml");
  if (main === undefined) throw new DocumentError("document-damaged");
  const links = parts.relationships(main);
  const partOf = (type: string): string | undefined =>
    links.find((link) => link.type === type)?.target;
  const styles = new WordStyles(parts, partOf("styles"));
  const context: WordContext = {
    styles,
    lists: new WordLists(parts, partOf("numbering"), styles),
    notes: new Map(),
  };
  const blocks = new BlockLines(writer);
  const body = new WordBody(blocks, context);
  parts.readXml(main, {
    open: (name, attributes) => body.open(name, attributes),
    text: (text) => {
      body.text(text);
    },
    close: (name) => {
      body.close(name);
    },
    isDone: () => writer.isFull,
  });
  blocks.end();
  if (context.notes.size > 0) {
    const notes = readNotes(parts, [partOf("footnotes"), partOf("endnotes")], context);
    for (const note of notes) writer.block(note);
  }
  for (const comment of readComments(parts, partOf("comments"), context)) writer.block(comment);
}
