import type { DocumentParts } from "../archive/document-parts.ts";
import { attributeOf, numberOf, type XmlAttributes } from "../archive/xml-reader.ts";
import { countIn } from "../list-numbers.ts";
import type { WordStyles } from "./word-styles.ts";

interface Level {
  format: string;
  /** "%1.%2": the numbers of levels, and what is around them. */
  pattern: string;
  start: number;
  /** A paragraph with this style is on this level. */
  styleId: string | undefined;
}

interface Definition {
  readonly levels: Map<number, Level>;
  /** Style whose list is meant. */
  styleLink: string | undefined;
  readonly counts: number[];
}

interface List {
  definitionId: string;
  /** First numbers by level, for a list that begins again. */
  readonly starts: Map<number, number>;
  /** Level whose first number is being read. */
  startsAt: number;
  hasBegun: boolean;
}

const MAX_LISTS = 50_000;
const MAX_LEVEL = 8;
const MAX_PATTERN_CHARS = 30;
const MAX_NUMBER = 1_000_000;

/** Counts the items of the lists of a Word document. */
export class WordLists {
  readonly #definitions = new Map<string, Definition>();
  readonly #lists = new Map<string, List>();
  readonly #styles: WordStyles;

  /** `part`: name of the part with the definitions of lists; undefined if there is none. */
  constructor(parts: DocumentParts, part: string | undefined, styles: WordStyles) {
    this.#styles = styles;
    if (part !== undefined) this.#read(parts, part);
  }

  /** Returns the level of a paragraph that names no level: the one of its style in the list, or the first. */
  levelOf(listId: string, styleId: string | undefined): number {
    const levels = this.#definitionOf(listId)?.levels ?? new Map<number, Level>();
    for (const [level, { styleId: own }] of levels) {
      if (own !== undefined && own === styleId) return level;
    }
    return 0;
  }

  /** Returns "-", or the next number of the list ("2.1."). "" for an item without a mark; undefined for no list. */
  next(listId: string, level: number): string | undefined {
    const list = this.#lists.get(listId);
    const definition = this.#definitionOf(listId);
    if (list === undefined || definition === undefined || level > MAX_LEVEL) return undefined;
    const { levels, counts } = definition;
    if (!list.hasBegun) for (const [at, start] of list.starts) counts[at] = start - 1;
    list.hasBegun = true;
    counts[level] = (counts[level] ?? (levels.get(level)?.start ?? 1) - 1) + 1;
    counts.length = level + 1;
    return markerOf(levels, counts);
  }

  #definitionOf(listId: string): Definition | undefined {
    const definition = this.#definitions.get(this.#lists.get(listId)?.definitionId ?? "");
    const linked =
      definition?.styleLink === undefined ? undefined : this.#styles.get(definition.styleLink);
    if (linked?.listId === undefined) return definition;
    return this.#definitions.get(this.#lists.get(linked.listId)?.definitionId ?? "") ?? definition;
  }

  #read(parts: DocumentParts, part: string): void {
    let definition: Definition | undefined;
    let level: Level | undefined;
    let list: List | undefined;
    parts.readXml(part, {
      open: (name, attributes) => {
        if (name === "abstractNum") {
          definition = this.#addDefinition(attributeOf(attributes, "abstractNumId") ?? "");
        } else if (name === "num") {
          list = this.#addList(attributeOf(attributes, "numId") ?? "");
        } else if (name === "lvl" && list === undefined) {
          level = addLevel(definition, attributes);
        } else if (list !== undefined) {
          readListProperty(list, name, attributes);
        } else if (level !== undefined) {
          readLevelProperty(level, name, attributes);
        } else if (name === "numStyleLink" && definition !== undefined) {
          definition.styleLink = attributeOf(attributes, "val");
        }
        return name === "rPr" || name === "pPr";
      },
      close(name) {
        if (name === "lvl") level = undefined;
        else if (name === "num") list = undefined;
      },
    });
  }

  #addDefinition(id: string): Definition {
    const definition = { levels: new Map<number, Level>(), styleLink: undefined, counts: [] };
    if (this.#definitions.size < MAX_LISTS) this.#definitions.set(id, definition);
    return definition;
  }

  #addList(id: string): List {
    const list = {
      definitionId: "",
      starts: new Map<number, number>(),
      startsAt: 0,
      hasBegun: false,
    };
    if (this.#lists.size < MAX_LISTS) this.#lists.set(id, list);
    return list;
  }
}

function addLevel(definition: Definition | undefined, attributes: XmlAttributes): Level {
  const level = { format: "decimal", pattern: "", start: 1, styleId: undefined };
  const index = numberOf(attributes, "ilvl", MAX_LEVEL);
  if (index !== undefined) definition?.levels.set(index, level);
  return level;
}

function readLevelProperty(level: Level, name: string, attributes: XmlAttributes): void {
  const value = attributeOf(attributes, "val") ?? "";
  if (name === "numFmt") level.format = value;
  else if (name === "lvlText") level.pattern = value.slice(0, MAX_PATTERN_CHARS);
  else if (name === "pStyle") level.styleId = value;
  else if (name === "start") level.start = numberOf(attributes, "val", MAX_NUMBER) ?? 1;
}

function readListProperty(list: List, name: string, attributes: XmlAttributes): void {
  if (name === "abstractNumId") list.definitionId = attributeOf(attributes, "val") ?? "";
  else if (name === "lvlOverride") list.startsAt = numberOf(attributes, "ilvl", MAX_LEVEL) ?? 0;
  else if (name === "startOverride") {
    list.starts.set(list.startsAt, numberOf(attributes, "val", MAX_NUMBER) ?? 1);
  }
}

function markerOf(levels: ReadonlyMap<number, Level>, counts: readonly number[]): string {
  const { format, pattern } = levels.get(counts.length - 1) ?? { format: "bullet", pattern: "" };
  if (format === "bullet") return "-";
  if (format === "none") return "";
  return pattern
    .replace(/%([1-9])/gu, (_, digit: string) => {
      const at = Number(digit) - 1;
      const own = levels.get(at);
      return countIn(own?.format ?? "decimal", counts[at] ?? own?.start ?? 1);
    })
    .trim();
}
