import { MAX_DOCUMENT_PAGES } from "../../base/documents/document-formats.ts";
import type { DocumentParts } from "../archive/document-parts.ts";
import { attributeOf } from "../archive/xml-reader.ts";
import type { DocumentWriter } from "../document-writer.ts";
import { OpenDocumentBody } from "../opendocument/opendocument-body.ts";
import { CONTENT } from "../opendocument/opendocument-package.ts";
import { readNamedStyles } from "../opendocument/read-opendocument.ts";
import { SlideBlocks, SLIDES_OMISSION } from "./slide-blocks.ts";

const REPEATED = new Set(["header", "footer", "date-time", "page-number"]);

/** Writes the slides of an ODP file. */
export function writeOpenDocumentSlides(parts: DocumentParts, writer: DocumentWriter): void {
  const blocks = new SlideBlocks(writer);
  const body = new OpenDocumentBody(blocks, readNamedStyles(parts));
  let number = 0;
  let isInNotes = false;
  const isThere = parts.readXml(CONTENT, {
    open(name, attributes) {
      const kind = attributeOf(attributes, "class") ?? "";
      if (name === "notes") {
        isInNotes = true;
        blocks.moveTo("notes");
      } else if (name === "frame" || name === "custom-shape") {
        if (REPEATED.has(kind)) return true;
        if (kind === "title" && !isInNotes) blocks.moveTo("title");
      }
      return body.open(name, attributes);
    },
    text: (text) => {
      body.text(text);
    },
    close(name) {
      body.close(name);
      if (name === "notes") isInNotes = false;
      if ((name === "frame" || name === "custom-shape" || name === "notes") && !isInNotes) {
        blocks.moveTo("body");
      }
      if (name !== "page") return;
      number += 1;
      if (number <= MAX_DOCUMENT_PAGES) blocks.finish(number, body.takeAsides());
      else writer.omit(SLIDES_OMISSION);
    },
    isDone: () => writer.isFull || number > MAX_DOCUMENT_PAGES,
  });
  if (!isThere) parts.markDamaged();
}
