// The outlines of documents as other programs read them: poppler (PDF), pandoc (DOCX, ODT, EPUB), unzip and JSON.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The outline that another program finds in a document. */
export interface ReaderOutline {
  /** Texts of the pages, slides or cells, from the first; undefined for a document without them. */
  readonly parts?: readonly string[];
  /** Headings in order; `part` is the page, from 1. */
  readonly headings?: readonly ReaderHeading[];
  /** Names of sheets. */
  readonly sheets?: readonly string[];
}

export interface ReaderHeading {
  readonly title: string;
  readonly part?: number;
}

/** Undefined if the program is missing or cannot read the document. */
export function readerOutline(file: string): ReaderOutline | undefined {
  const read = READERS[file.slice(file.lastIndexOf(".") + 1)];
  try {
    return read?.(file);
  } catch {
    return undefined;
  }
}

const READERS: Readonly<Record<string, (file: string) => ReaderOutline>> = {
  pdf: pdfOutline,
  docx: pandocOutline,
  odt: pandocOutline,
  epub: pandocOutline,
  pptx: slides,
  xlsx: (file) => ({
    sheets: attributesOf(entry(file, "xl/workbook.xml"), /<sheet\s[^>]*?\bname="([^"]*)"/g),
  }),
  ods: (file) => ({
    sheets: attributesOf(entry(file, "content.xml"), /<table:table\s[^>]*?\btable:name="([^"]*)"/g),
  }),
  ipynb: cells,
};

function pdfOutline(file: string): ReaderOutline {
  const parts = output("pdftotext", [file, "-"]).split("\f").slice(0, -1);
  const xml = output("pdftohtml", ["-xml", "-i", "-stdout", "-q", file]);
  const headings = [...xml.matchAll(/<item page="(\d+)">(.*?)<\/item>/gs)].map(
    ([, page, title = ""]) => ({ title: unescaped(title), part: Number(page) }),
  );
  return { parts, headings };
}

function pandocOutline(file: string): ReaderOutline {
  const found: ReaderHeading[] = [];
  collectHeadings(JSON.parse(output("pandoc", ["-t", "json", file])), found);
  return { headings: found.filter(({ title }) => title.trim() !== "") };
}

function collectHeadings(value: unknown, found: ReaderHeading[]): void {
  if (Array.isArray(value)) {
    for (const inner of value) collectHeadings(inner, found);
  } else if (isRecord(value)) {
    if (value["t"] === "Header") found.push({ title: textOf(value["c"]) });
    else for (const inner of Object.values(value)) collectHeadings(inner, found);
  }
}

/** The text of elements in pandoc's JSON; notes are not part of a heading. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join("");
  if (!isRecord(value)) return "";
  const { t, c } = value;
  if (t === "Str" && typeof c === "string") return c;
  if (t === "Code" && Array.isArray(c)) return String(c[1]);
  if (t === "Space" || t === "SoftBreak" || t === "LineBreak") return " ";
  return t === "Note" ? "" : textOf(c);
}

function slides(file: string): ReaderOutline {
  const targets = new Map(
    [...entry(file, "ppt/_rels/presentation.xml.rels").matchAll(/<Relationship\s[^>]*>/g)].map(
      ([tag]) => [attribute(tag, "Id"), attribute(tag, "Target")] as const,
    ),
  );
  const ids = entry(file, "ppt/presentation.xml").matchAll(/<p:sldId\s[^>]*?\br:id="([^"]*)"/g);
  const parts = [...ids].map(([, id = ""]) => {
    const target = (targets.get(id) ?? "").replace(/^\/?(?:ppt\/)?/, "ppt/");
    return attributesOf(entry(file, target), /<a:t>([^<]*)<\/a:t>/g).join(" ");
  });
  return { parts };
}

function cells(file: string): ReaderOutline {
  const notebook: { readonly cells: readonly { readonly source: string | readonly string[] }[] } =
    JSON.parse(readFileSync(file, "utf8"));
  return { parts: notebook.cells.map(({ source }) => [source].flat().join("")) };
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
}

function attributesOf(xml: string, pattern: RegExp): readonly string[] {
  return [...xml.matchAll(pattern)].map(([, value = ""]) => unescaped(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

function unescaped(text: string): string {
  return text
    .replaceAll(/<[^<>]*>/g, "")
    .replaceAll(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&(amp|lt|gt|quot|apos);/g, (entity, name: string) => ENTITIES[name] ?? entity);
}

function entry(file: string, name: string): string {
  return output("unzip", ["-p", file, name]);
}

function output(command: string, args: readonly string[]): string {
  const { status, stdout, error } = spawnSync(command, args, {
    encoding: "utf8",
    maxBuffer: 512 << 20,
    stdio: ["ignore", "pipe", "ignore"],
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
  return stdout;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
