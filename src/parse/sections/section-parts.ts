// The results of the prose scanners: headings, labels and documented definitions. They nest by level and by range.
import type { Definition, SymbolKind } from "../languages/definition-rules.ts";
import type { TextLines } from "../text-lines.ts";

/** A longer line is not a heading. The limit also bounds the time of the patterns that clean titles. */
export const MAX_TITLE_CHARS = 400;
const MAX_NAME_CHARS = 120;
/** Deeper headings become siblings. Bounds the length of qualified names. */
const MAX_LEVEL = 16;
/** Maximum labels per file that are symbols. A file with more is generated. */
const MAX_LABELS = 500;

/** A heading. */
export interface Heading {
  /** First line, including an overline, and the labels and attributes of the section. */
  readonly startLine: number;
  /** The line of the title. */
  readonly line: number;
  /** 1 for the outermost level; 0 for the title of the document. */
  readonly level: number;
  readonly title: string;
}

/** A named range inside a section: a documented function, a macro. Entries nest by range. */
export interface Entry {
  readonly line: number;
  readonly endLine: number;
  readonly name: string;
  /** The class or module that the text names before the last part of the name. */
  readonly owner: string | undefined;
  readonly kind: SymbolKind;
  /** True if the entry has no chunk of its own. */
  readonly isInline: boolean;
}

/** What a scanner returns. Lists are in the order of the file. */
export interface FoundParts {
  readonly headings: readonly Heading[];
  /** By line: 1 in code, tables and front matter, which contain no headings and are not cut. */
  readonly verbatim: Uint8Array;
  readonly entries?: readonly Entry[];
}

/** Returns an entry for the label of a place, such as `.. _name:`. */
export function labelEntry(line: number, name: string): Entry {
  return { line, endLine: line, name, owner: undefined, kind: "section", isInline: true };
}

/** Returns headings and entries as nested definitions. */
export function nestParts({ headings, entries = [] }: FoundParts, lines: TextLines): Definition[] {
  const nesting = new Nesting(lines);
  let next = 0;
  let labels = 0;
  const addEntriesBefore = (line: number): void => {
    for (let entry = entries[next]; entry !== undefined && entry.line < line;) {
      const isLabel = entry.kind === "section" && entry.isInline;
      if (isLabel) labels += 1;
      if (!isLabel || labels <= MAX_LABELS) nesting.addEntry(entry);
      next += 1;
      entry = entries[next];
    }
  };
  for (const heading of headings) {
    addEntriesBefore(heading.startLine);
    nesting.addHeading(heading);
  }
  addEntriesBefore(Number.POSITIVE_INFINITY);
  return nesting.finish();
}

interface OpenPart {
  /** `Infinity` for an entry. */
  readonly level: number;
  readonly definition: Definition;
}

class Nesting {
  readonly #lines: TextLines;
  readonly #top: Definition[] = [];
  readonly #open: OpenPart[] = [];

  constructor(lines: TextLines) {
    this.#lines = lines;
  }

  addHeading({ startLine, line, level, title }: Heading): void {
    const nesting = Math.min(level, MAX_LEVEL);
    this.#close(nesting, startLine);
    const name = title === "" ? "-" : title.slice(0, MAX_NAME_CHARS);
    const definition = definitionOf({ name, signature: name, kind: "section", isTitle: true });
    Object.assign(definition, { startLine, nameLine: line, endLine: line });
    this.#add(definition);
    this.#open.push({ level: nesting, definition });
  }

  addEntry(entry: Entry): void {
    const { line, endLine, kind, isInline } = entry;
    for (let last = this.#open.at(-1); last?.level === Infinity; last = this.#open.at(-1)) {
      if (last.definition.endLine >= line) break;
      this.#open.pop();
    }
    const around = this.#open.at(-1);
    const isLabel = kind === "section" && isInline;
    // A label that repeats the title, or the name that is documented there, adds nothing.
    if (isLabel && around !== undefined && isAlike(entry.name, around.definition.name)) return;
    const name = entry.name.slice(0, MAX_NAME_CHARS);
    const owner = entry.owner === around?.definition.name ? undefined : entry.owner;
    const definition = definitionOf({ name, owner, kind, isInline });
    Object.assign(definition, { startLine: line, nameLine: line, endLine });
    this.#add(definition);
    if (!isInline) this.#open.push({ level: Infinity, definition });
  }

  finish(): Definition[] {
    this.#close(-1, this.#lines.count + 1);
    return this.#top;
  }

  #add(definition: Definition): void {
    (this.#open.at(-1)?.definition.members ?? this.#top).push(definition);
  }

  /** Ends the entries, and the sections of this level and below, before `nextLine`. */
  #close(level: number, nextLine: number): void {
    let endLine = nextLine - 1;
    while (endLine > 1 && this.#lines.isBlank(endLine)) endLine -= 1;
    for (let last = this.#open.at(-1); last !== undefined && last.level >= level;) {
      const { definition } = last;
      const isEntry = last.level === Infinity;
      const end = isEntry ? Math.min(definition.endLine, endLine) : endLine;
      // The next heading may be on the same line, as in HTML.
      definition.endLine = Math.max(definition.startLine, end);
      this.#open.pop();
      last = this.#open.at(-1);
    }
  }
}

/** Whether two names differ only in case and in what separates their words. */
function isAlike(one: string, other: string): boolean {
  return one === other || wordsOf(one) === wordsOf(other);
}

function wordsOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

type DefinitionFacts = Pick<Definition, "name" | "kind"> &
  Partial<Pick<Definition, "owner" | "signature" | "isTitle" | "isInline">>;

function definitionOf(facts: DefinitionFacts): Definition {
  return {
    name: facts.name,
    owner: facts.owner,
    kind: facts.kind,
    startLine: 0,
    nameLine: 0,
    nameIndex: -1,
    access: "exported",
    endLine: 0,
    signature: facts.signature ?? "",
    docLine: undefined,
    isSymbol: true,
    isTitle: facts.isTitle ?? false,
    isInline: facts.isInline ?? false,
    isScope: true,
    members: [],
  };
}

/** Returns a title on one line, truncated. */
export function tidyTitle(title: string): string {
  return title.replace(/\s+/g, " ").trim().slice(0, MAX_NAME_CHARS);
}
