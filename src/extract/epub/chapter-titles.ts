import { Parser } from "htmlparser2";

import type { DocumentParts } from "../archive/document-parts.ts";
import { attributeOf } from "../archive/xml-reader.ts";
import type { PageTitle } from "../html/page-titles.ts";
import { bookPartOf, type BookItem } from "./epub-package.ts";

const MAX_CONTENTS_BYTES = 4 << 20;
const MAX_TITLE_CHARS = 300;
/** More titles are left out. */
const MAX_TITLES = 20_000;

/** Returns the titles in the table of contents by the names of the parts that they lead to, in order. */
export function readChapterTitles(
  parts: DocumentParts,
  contents: BookItem | undefined,
): ReadonlyMap<string, readonly PageTitle[]> {
  const titles = new Map<string, PageTitle[]>();
  if (contents === undefined) return titles;
  const folder = contents.part.slice(0, contents.part.lastIndexOf("/") + 1);
  let count = 0;
  const add: AddTitle = (link, title, level) => {
    const part = bookPartOf(folder, link);
    const text = title.slice(0, MAX_TITLE_CHARS).replace(/\s+/gu, " ").trim();
    count += 1;
    if (text === "" || count > MAX_TITLES) return;
    const known = titles.get(part);
    if (known === undefined) titles.set(part, [{ title: text, level }]);
    else known.push({ title: text, level });
  };
  if (contents.properties.includes("nav")) readLinks(parts, contents.part, add);
  else readPoints(parts, contents.part, add);
  return titles;
}

type AddTitle = (link: string, title: string, level: number) => void;

/** The links of a page of contents. */
function readLinks(parts: DocumentParts, part: string, add: AddTitle): void {
  let link: string | undefined;
  let title = "";
  let level = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === "ol") level += 1;
      if (name !== "a") return;
      link = attributes["href"];
      title = "";
    },
    ontext(text) {
      if (link !== undefined && title.length < MAX_TITLE_CHARS) title += text;
    },
    onclosetag(name) {
      if (name === "ol") level -= 1;
      if (name !== "a" || link === undefined) return;
      add(link, title, level);
      link = undefined;
    },
  });
  parser.end(parts.readText(part, MAX_CONTENTS_BYTES) ?? "");
}

/** The points of the contents of EPUB 2. */
function readPoints(parts: DocumentParts, part: string, add: AddTitle): void {
  let title = "";
  let level = 0;
  let isInTitle = false;
  parts.readXml(part, {
    open(name, attributes) {
      if (name === "navPoint") level += 1;
      else if (name === "navLabel") title = "";
      else if (name === "text") isInTitle = true;
      else if (name === "content") add(attributeOf(attributes, "src") ?? "", title, level);
      return name === "docTitle" || name === "pageList";
    },
    text(text) {
      if (isInTitle && title.length < MAX_TITLE_CHARS) title += text;
    },
    close(name) {
      if (name === "text") isInTitle = false;
      else if (name === "navPoint") level -= 1;
    },
  });
}
