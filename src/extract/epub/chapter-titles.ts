import { Parser } from "htmlparser2";

import type { DocumentParts } from "../archive/document-parts.ts";
import { attributeOf } from "../archive/xml-reader.ts";
import { bookPartOf, type BookItem } from "./epub-package.ts";

const MAX_CONTENTS_BYTES = 4 << 20;
const MAX_TITLE_CHARS = 300;

/** Returns the titles of chapters by the names of their parts: of two in one part, the first. */
export function readChapterTitles(
  parts: DocumentParts,
  contents: BookItem | undefined,
): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  if (contents === undefined) return titles;
  const folder = contents.part.slice(0, contents.part.lastIndexOf("/") + 1);
  const add = (link: string, title: string): void => {
    const part = bookPartOf(folder, link);
    const text = title.slice(0, MAX_TITLE_CHARS).replace(/\s+/gu, " ").trim();
    if (text !== "" && !titles.has(part)) titles.set(part, text);
  };
  if (contents.properties.includes("nav")) readLinks(parts, contents.part, add);
  else readPoints(parts, contents.part, add);
  return titles;
}

/** The links of a page of contents. */
function readLinks(
  parts: DocumentParts,
  part: string,
  add: (link: string, title: string) => void,
): void {
  let link: string | undefined;
  let title = "";
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name !== "a") return;
      link = attributes["href"];
      title = "";
    },
    ontext(text) {
      if (link !== undefined && title.length < MAX_TITLE_CHARS) title += text;
    },
    onclosetag(name) {
      if (name !== "a" || link === undefined) return;
      add(link, title);
      link = undefined;
    },
  });
  parser.end(parts.readText(part, MAX_CONTENTS_BYTES) ?? "");
}

/** The points of the contents of EPUB 2. */
function readPoints(
  parts: DocumentParts,
  part: string,
  add: (link: string, title: string) => void,
): void {
  let title = "";
  let isInTitle = false;
  parts.readXml(part, {
    open(name, attributes) {
      if (name === "navLabel") title = "";
      else if (name === "text") isInTitle = true;
      else if (name === "content") add(attributeOf(attributes, "src") ?? "", title);
      return name === "docTitle" || name === "pageList";
    },
    text(text) {
      if (isInTitle && title.length < MAX_TITLE_CHARS) title += text;
    },
    close(name) {
      if (name === "text") isInTitle = false;
    },
  });
}
