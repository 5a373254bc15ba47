import { DocumentError, type DocumentText } from "../../base/documents/document.ts";
import { MAX_DOCUMENT_PAGES } from "../../base/documents/document-formats.ts";
import { DocumentParts, type Relationship } from "../archive/document-parts.ts";
import { relationshipOf } from "../archive/xml-reader.ts";
import { DocumentWriter } from "../document-writer.ts";
import { isOpenDocument } from "../opendocument/opendocument-package.ts";
import { DrawingBody, type DrawingPart } from "./drawing-body.ts";
import { writeOpenDocumentSlides } from "./opendocument-slides.ts";
import { SlideBlocks, SLIDES_OMISSION } from "./slide-blocks.ts";

/**
 * Returns the text of a PPTX or ODP file. Its places are slides, with their numbers in the presentation, hidden ones
 * included; a slide is its title, its text, its tables and its notes. Throws DocumentError.
 */
export function extractSlides(bytes: Uint8Array): DocumentText {
  const parts = new DocumentParts(bytes);
  const writer = new DocumentWriter("slide");
  if (isOpenDocument(parts)) writeOpenDocumentSlides(parts, writer);
  else writePresentation(parts, writer);
  return parts.finish(writer);
}

function writePresentation(parts: DocumentParts, writer: DocumentWriter): void {
  const main = parts.mainPart("ppt/presentation.xml");
  if (main === undefined) throw new DocumentError("document-damaged");
  const slides = slideParts(parts, main);
  const blocks = new SlideBlocks(writer);
  for (const [index, slide] of slides.entries()) {
    if (index >= MAX_DOCUMENT_PAGES) writer.omit(SLIDES_OMISSION);
    if (index >= MAX_DOCUMENT_PAGES || writer.isFull) break;
    if (slide === undefined) parts.markDamaged();
    else writeSlide(parts, slide, { blocks, number: index + 1 });
  }
}

/** Returns the parts of the slides in their order; undefined for one that is missing. */
function slideParts(parts: DocumentParts, main: string): readonly (string | undefined)[] {
  const ids: string[] = [];
  parts.readXml(main, {
    open(name, attributes) {
      if (name === "sldId") ids.push(relationshipOf(attributes) ?? "");
      return name === "sldMasterIdLst" || name === "defaultTextStyle";
    },
    isDone: () => ids.length > MAX_DOCUMENT_PAGES,
  });
  const links = new Map(parts.relationships(main).map(({ id, target }) => [id, target]));
  return ids.map((id) => {
    const target = links.get(id);
    return target !== undefined && parts.has(target) ? target : undefined;
  });
}

function writeSlide(
  parts: DocumentParts,
  slide: string,
  { blocks, number }: { readonly blocks: SlideBlocks; readonly number: number },
): void {
  const links = parts.relationships(slide);
  readDrawing(parts, slide, new DrawingBody(blocks, "slide"));
  for (const [type, part] of [
    ["diagramData", "diagram"],
    ["notesSlide", "notes"],
  ] as const satisfies readonly (readonly [string, DrawingPart])[]) {
    for (const name of targetsOf(links, type)) {
      readDrawing(parts, name, new DrawingBody(blocks, part));
    }
  }
  blocks.finish(
    number,
    [...targetsOf(links, "comments")].flatMap((name) => readComments(parts, name)),
  );
}

/** Each part once: a damaged slide may refer to one a thousand times. */
function targetsOf(links: readonly Relationship[], type: string): ReadonlySet<string> {
  return new Set(links.filter((link) => link.type === type).map(({ target }) => target));
}

function readDrawing(parts: DocumentParts, name: string, body: DrawingBody): void {
  parts.readXml(name, {
    open: (element, attributes) => body.open(element, attributes),
    text: (text) => {
      body.text(text);
    },
    close: (element) => {
      body.close(element);
    },
  });
}

function readComments(parts: DocumentParts, name: string): readonly string[] {
  const comments: string[] = [];
  let text: string | undefined;
  parts.readXml(name, {
    open(element) {
      if (element === "text" || element === "t") text = "";
      return false;
    },
    text(value) {
      if (text !== undefined) text += value;
    },
    close(element) {
      if (text !== undefined && text.trim() !== "" && (element === "text" || element === "t")) {
        comments.push(`Comment: ${text.trim()}`);
      }
      text = undefined;
    },
  });
  return comments;
}
