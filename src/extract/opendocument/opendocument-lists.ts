import { attributeOf, numberOf, type XmlAttributes } from "../archive/xml-reader.ts";
import { countIn } from "../list-numbers.ts";
import type { ListLevel, OpenDocumentStyles } from "./opendocument-styles.ts";

interface List {
  readonly styleId: string;
  count: number;
  /** Whether the next paragraph begins an item. */
  isItemNew: boolean;
}

const MAX_KEPT_COUNTS = 10_000;
const MAX_START = 1_000_000;

/** The lists that are open at a place of an OpenDocument file, and the numbers of their items. */
export class OpenDocumentLists {
  readonly #styles: OpenDocumentStyles;
  readonly #open: List[] = [];
  /** Number of the last item, by style and level, for lists that go on after something else. */
  readonly #lastCounts = new Map<string, number>();

  constructor(styles: OpenDocumentStyles) {
    this.#styles = styles;
  }

  /** 0 for the outermost list. */
  get depth(): number {
    return Math.max(0, this.#open.length - 1);
  }

  openList(attributes: XmlAttributes): void {
    const styleId = attributeOf(attributes, "style-name") ?? this.#open.at(-1)?.styleId ?? "";
    const level = this.#open.length;
    const goesOn =
      attributeOf(attributes, "continue-numbering") === "true" ||
      attributeOf(attributes, "continue-list") !== undefined;
    const last = goesOn ? this.#lastCounts.get(`${level} ${styleId}`) : undefined;
    const start = this.#styles.listLevel(styleId, level)?.start ?? 1;
    this.#open.push({ styleId, count: last ?? start - 1, isItemNew: false });
  }

  closeList(): void {
    const list = this.#open.pop();
    if (list === undefined || this.#lastCounts.size >= MAX_KEPT_COUNTS) return;
    this.#lastCounts.set(`${this.#open.length} ${list.styleId}`, list.count);
  }

  openItem(attributes: XmlAttributes): void {
    const list = this.#open.at(-1);
    if (list === undefined) return;
    list.count = numberOf(attributes, "start-value", MAX_START) ?? list.count + 1;
    list.isItemNew = true;
  }

  /** Returns the mark of a paragraph: "-" or "1." for the first of an item, "" for others. */
  takeMarker(): string {
    const list = this.#open.at(-1);
    if (list?.isItemNew !== true) return "";
    list.isItemNew = false;
    const level = this.#styles.listLevel(list.styleId, this.depth);
    return level?.format === undefined ? "-" : this.#numberOf(level);
  }

  #numberOf({ format = "", prefix, suffix, shownLevels }: ListLevel): string {
    if (format === "") return "";
    const numbers = this.#open.slice(-shownLevels).map(({ styleId, count }, index, shown) => {
      const level = this.#open.length - shown.length + index;
      return countIn(this.#styles.listLevel(styleId, level)?.format ?? "1", count);
    });
    return prefix + numbers.join(".") + suffix;
  }
}
