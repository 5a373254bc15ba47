import { strToU8, zipSync } from "fflate";

import { DocumentError, type DocumentText } from "../../src/base/documents/document.ts";

const XML = '<?xml version="1.0" encoding="UTF-8"?>\n';
const RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/** A zip of text files. */
export function zipOf(files: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  return zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [
        name,
        typeof text === "string" ? strToU8(text) : text,
      ]),
    ),
    { level: 1 },
  );
}

/** A part with relationships to others: id -> the last word of the type, and the target. */
export function relationships(links: Readonly<Record<string, readonly [string, string]>>): string {
  const items = Object.entries(links).map(
    ([id, [type, target]]) =>
      `<Relationship Id="${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`,
  );
  return `${XML}<Relationships>${items.join("")}</Relationships>`;
}

/** A DOCX file with a body. `parts`: further parts, such as "styles", by the type of their relationship. */
export function wordFile(body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const names = Object.keys(parts);
  return zipOf({
    "_rels/.rels": relationships({ r1: ["officeDocument", "word/document.xml"] }),
    "word/document.xml": `${XML}<w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    "word/_rels/document.xml.rels": relationships(
      Object.fromEntries(names.map((name) => [`r-${name}`, [name, `${name}.xml`]])),
    ),
    ...Object.fromEntries(names.map((name) => [`word/${name}.xml`, XML + parts[name]])),
  });
}

/** A paragraph of a DOCX file. `properties`: the content of its `w:pPr`. */
export function paragraph(text: string, properties = ""): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** The failure of an extractor; "" if it returned a text. Other errors are thrown. */
export function failureOf(extract: () => DocumentText): string {
  try {
    extract();
    return "";
  } catch (error) {
    if (error instanceof DocumentError) return error.failure;
    throw error;
  }
}
