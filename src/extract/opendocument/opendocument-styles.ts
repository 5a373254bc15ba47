import { attributeOf, numberOf, type XmlAttributes } from "../archive/xml-reader.ts";
import { isCodeFont, isCodeStyle } from "../code-styles.ts";

interface ParagraphStyle {
  name: string;
  parent: string | undefined;
  font: string;
}

export type ParagraphKind = "title" | "code" | "text";

/** How the items on one level of a list are marked. */
export interface ListLevel {
  /** "1", "a", "I"; "" for no number; undefined for a bullet. */
  readonly format: string | undefined;
  readonly prefix: string;
  readonly suffix: string;
  /** How many levels the number has: 2 for "1.1". */
  readonly shownLevels: number;
  readonly start: number;
}

const MAX_STYLES = 50_000;
const MAX_PARENTS = 20;
const MAX_AFFIX_CHARS = 10;
const MAX_LEVEL = 10;
const MAX_START = 1_000_000;
/** The style that all are based on. Its font does not make them code. */
const STANDARD = "Standard";

/** The styles of an OpenDocument file: those with names, and those that the program made. */
export class OpenDocumentStyles {
  readonly #paragraphs = new Map<string, ParagraphStyle>();
  /** Styles of words. */
  readonly #texts = new Map<string, ParagraphStyle>();
  readonly #kinds = new Map<string, ParagraphKind>();
  readonly #lists = new Map<string, Map<number, ListLevel>>();
  #paragraph: ParagraphStyle | undefined;
  #list: Map<number, ListLevel> | undefined;

  /** Takes an element of the styles. */
  open(name: string, attributes: XmlAttributes): void {
    if (name === "style") {
      const family = attributeOf(attributes, "family");
      if (family === "paragraph") this.#paragraph = addStyle(this.#paragraphs, attributes);
      else if (family === "text") this.#paragraph = addStyle(this.#texts, attributes);
    } else if (name === "text-properties" && this.#paragraph !== undefined) {
      const font = attributeOf(attributes, "font-name") ?? attributeOf(attributes, "font-family");
      this.#paragraph.font = font ?? "";
    } else if (name === "list-style") {
      this.#list = new Map();
      if (this.#lists.size < MAX_STYLES) {
        this.#lists.set(attributeOf(attributes, "name") ?? "", this.#list);
      }
    } else if (name.startsWith("list-level-style-") && this.#list !== undefined) {
      const level = numberOf(attributes, "level", MAX_LEVEL);
      if (level !== undefined) this.#list.set(level - 1, listLevel(name, attributes));
    }
  }

  close(name: string): void {
    if (name === "style") this.#paragraph = undefined;
    else if (name === "list-style") this.#list = undefined;
  }

  /** Returns what the style of a paragraph says about it. */
  kindOf(id: string): ParagraphKind {
    const known = this.#kinds.get(id);
    if (known !== undefined) return known;
    const kind = kindOf(chainOf(this.#paragraphs, id));
    if (this.#kinds.size < MAX_STYLES) this.#kinds.set(id, kind);
    return kind;
  }

  /** Returns whether words in a style are code. */
  isCodeText(id: string): boolean {
    return kindOf(chainOf(this.#texts, id)) === "code";
  }

  /** Returns how items on a level (0 for the outermost) are marked; undefined if the style does not say. */
  listLevel(id: string, level: number): ListLevel | undefined {
    return this.#lists.get(id)?.get(level);
  }
}

type Styles = ReadonlyMap<string, ParagraphStyle>;

function chainOf(styles: Styles, id: string): readonly ParagraphStyle[] {
  const chain = new Set<ParagraphStyle>();
  let style = styles.get(id);
  while (style !== undefined && !chain.has(style) && chain.size < MAX_PARENTS) {
    chain.add(style);
    style = style.parent === undefined ? undefined : styles.get(style.parent);
  }
  return [...chain];
}

function addStyle(styles: Map<string, ParagraphStyle>, attributes: XmlAttributes): ParagraphStyle {
  const id = attributeOf(attributes, "name") ?? "";
  const style = {
    name: attributeOf(attributes, "display-name") ?? id.replaceAll("_20_", " "),
    parent: attributeOf(attributes, "parent-style-name"),
    font: "",
  };
  if (styles.size < MAX_STYLES) styles.set(id, style);
  return style;
}

/** The chain: a style, and those that it is based on. */
function kindOf(chain: readonly ParagraphStyle[]): ParagraphKind {
  if (chain.some(({ name }) => name === "Title")) return "title";
  const font = chain.find((style) => style.font !== "" && style.name !== STANDARD)?.font ?? "";
  return isCodeFont(font) || chain.some(({ name }) => isCodeStyle(name)) ? "code" : "text";
}

function listLevel(name: string, attributes: XmlAttributes): ListLevel {
  const affix = (key: string): string =>
    (attributeOf(attributes, key) ?? "").trim().slice(0, MAX_AFFIX_CHARS);
  return {
    format:
      name === "list-level-style-number"
        ? (attributeOf(attributes, "num-format") ?? "")
        : undefined,
    prefix: affix("num-prefix"),
    suffix: affix("num-suffix"),
    shownLevels: numberOf(attributes, "display-levels", MAX_LEVEL) ?? 1,
    start: numberOf(attributes, "start-value", MAX_START) ?? 1,
  };
}
