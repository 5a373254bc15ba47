import type { DocumentParts } from "../archive/document-parts.ts";
import { attributeOf, numberOf } from "../archive/xml-reader.ts";
import { isCodeFont, isCodeStyle } from "../code-styles.ts";

/** What the style of a paragraph says about it, with what it inherits. */
export interface WordStyle {
  /** 1 for the outermost; undefined if it is not a heading. */
  readonly headingLevel: number | undefined;
  readonly isCode: boolean;
  /** Whether it is a line of the table of contents. */
  readonly isContents: boolean;
  readonly listId: string | undefined;
  readonly listLevel: number | undefined;
}

interface OwnStyle {
  name: string;
  basedOn: string | undefined;
  isDefault: boolean;
  /** As in the file: 0 for the outermost, 9 for text. */
  outlineLevel: number | undefined;
  font: string;
  listId: string | undefined;
  listLevel: number | undefined;
}

const MAX_STYLES = 20_000;
const MAX_BASES = 20;
const NO_OUTLINE_LEVEL = 9;

/** The styles of a Word document, by their ids, which are words of the language of its author. */
export class WordStyles {
  readonly #own = new Map<string, OwnStyle>();
  readonly #resolved = new Map<string, WordStyle>();

  /** `part`: name of the part with the styles; undefined if there is none. */
  constructor(parts: DocumentParts, part: string | undefined) {
    if (part !== undefined) this.#read(parts, part);
  }

  /** Returns the style of an id; undefined if there is none. */
  get(id: string): WordStyle | undefined {
    const known = this.#resolved.get(id);
    if (known !== undefined || !this.#own.has(id)) return known;
    const style = resolveStyle(this.#chainOf(id));
    this.#resolved.set(id, style);
    return style;
  }

  /** The style, and those that it is based on. */
  #chainOf(id: string): readonly OwnStyle[] {
    const chain = new Set<OwnStyle>();
    let style = this.#own.get(id);
    while (style !== undefined && !chain.has(style) && chain.size < MAX_BASES) {
      chain.add(style);
      style = style.basedOn === undefined ? undefined : this.#own.get(style.basedOn);
    }
    return [...chain];
  }

  #read(parts: DocumentParts, part: string): void {
    let style: OwnStyle | undefined;
    parts.readXml(part, {
      open: (name, attributes) => {
        if (name === "style") {
          style = newStyle(attributeOf(attributes, "default") ?? "");
          if (this.#own.size < MAX_STYLES) {
            this.#own.set(attributeOf(attributes, "styleId") ?? "", style);
          }
        } else if (style !== undefined) {
          readProperty(style, name, attributes);
        }
        return name === "tblStylePr" || name === "docDefaults" || name === "latentStyles";
      },
      close: (name) => {
        if (name === "style") style = undefined;
      },
    });
  }
}

function newStyle(isDefault: string): OwnStyle {
  return {
    name: "",
    basedOn: undefined,
    isDefault: isOn(isDefault),
    outlineLevel: undefined,
    font: "",
    listId: undefined,
    listLevel: undefined,
  };
}

function readProperty(
  style: OwnStyle,
  name: string,
  attributes: Readonly<Record<string, string>>,
): void {
  const value = attributeOf(attributes, "val");
  if (name === "name") style.name = value ?? "";
  else if (name === "basedOn") style.basedOn = value;
  else if (name === "outlineLvl") style.outlineLevel = numberOf(attributes, "val");
  else if (name === "rFonts") style.font = attributeOf(attributes, "ascii") ?? "";
  else if (name === "numId") style.listId = value;
  else if (name === "ilvl") style.listLevel = numberOf(attributes, "val");
}

function resolveStyle(chain: readonly OwnStyle[]): WordStyle {
  const numbered = chain.find(({ listId }) => listId !== undefined);
  const fonted = chain.find(({ font }) => font !== "");
  return {
    headingLevel: chain.map(headingLevelOf).find((level) => level !== undefined) || undefined,
    // A document in a typewriter's font is not code.
    isCode:
      chain.some(({ name }) => isCodeStyle(name)) ||
      (fonted?.isDefault === false && isCodeFont(fonted.font)),
    isContents: chain.some(({ name }) => /^toc \d/iu.test(name)),
    listId: numbered?.listId,
    listLevel: chain.find(({ listLevel }) => listLevel !== undefined)?.listLevel,
  };
}

/** 0 for a style that is text even if it is based on a heading; undefined for one that does not say. */
function headingLevelOf({ name, outlineLevel }: OwnStyle): number | undefined {
  if (outlineLevel !== undefined) return outlineLevel >= NO_OUTLINE_LEVEL ? 0 : outlineLevel + 1;
  if (/^title$/iu.test(name)) return 1;
  const level = /^heading (\d)$/iu.exec(name)?.[1];
  return level === undefined ? undefined : Number(level);
}

/** Whether an attribute of Word has a value that means yes. */
export function isOn(value: string): boolean {
  return value === "1" || value === "true" || value === "on";
}
