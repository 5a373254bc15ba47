import type { DocumentParts } from "../archive/document-parts.ts";
import { BlockLines, type Blocks } from "../block-lines.ts";
import type { DocumentWriter } from "../document-writer.ts";
import { OpenDocumentBody } from "./opendocument-body.ts";
import { CONTENT } from "./opendocument-package.ts";
import { OpenDocumentStyles } from "./opendocument-styles.ts";

/** Returns the styles with names; those of the content come with it. */
export function readNamedStyles(parts: DocumentParts): OpenDocumentStyles {
  const styles = new OpenDocumentStyles();
  parts.readXml("styles.xml", {
    open(name, attributes) {
      styles.open(name, attributes);
      return name === "master-styles";
    },
    close(name) {
      styles.close(name);
    },
  });
  return styles;
}

/** Writes the text of an ODT file. */
export function writeOpenDocumentText(parts: DocumentParts, writer: DocumentWriter): void {
  const blocks: Blocks = new BlockLines(writer);
  const body = new OpenDocumentBody(blocks, readNamedStyles(parts));
  const isThere = parts.readXml(CONTENT, {
    open: (name, attributes) => body.open(name, attributes),
    text: (text) => {
      body.text(text);
    },
    close: (name) => {
      body.close(name);
    },
    isDone: () => writer.isFull,
  });
  if (!isThere) parts.markDamaged();
  blocks.end();
  for (const aside of body.takeAsides()) writer.block(aside);
}
