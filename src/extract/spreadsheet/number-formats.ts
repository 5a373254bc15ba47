import type { DocumentParts } from "../archive/document-parts.ts";
import { attributeOf, numberOf } from "../archive/xml-reader.ts";

type Kind = "date" | "time";

const MAX_FORMATS = 100_000;
/** Digits of a number with a fraction that a cell without a format of its own shows. */
const SHOWN_DIGITS = 11;
const DAY_MS = 86_400_000;
/** 1970-01-01 as days of the 1900 system. */
const UNIX_DAY = 25_569;
const SYSTEMS_APART = 1462;
const LAST_DAY = 2_958_465;
/** The 1900 system has a 29 February 1900: earlier days are one off. */
const FIRST_RIGHT_DAY = 60;
const DATES = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);
const TIMES = new Set([18, 19, 20, 21, 45, 46, 47]);

/** Which cells of an XLSX file are dates: the file has them as numbers, with a style. */
export class NumberFormats {
  /** By the number of the style. */
  readonly #kinds: (Kind | undefined)[] = [];
  readonly #is1904: boolean;

  /** `part`: name of the part with the styles. `is1904`: whether days count from 1904. */
  constructor(parts: DocumentParts, part: string | undefined, is1904: boolean) {
    this.#is1904 = is1904;
    if (part !== undefined) this.#read(parts, part);
  }

  /** Returns a number as it is shown: dates as "2024-05-31" or "2024-05-31 14:30:00". */
  show(value: string, style: number): string {
    const number = Number(value);
    if (value.trim() === "" || !Number.isFinite(number)) return value;
    const kind = this.#kinds[style];
    const shown = kind === undefined ? undefined : this.#moment(number, kind);
    return (
      shown ?? String(Number(number.toPrecision(Number.isInteger(number) ? 15 : SHOWN_DIGITS)))
    );
  }

  #moment(number: number, kind: Kind): string | undefined {
    const days = this.#is1904 ? number + SYSTEMS_APART : number;
    if (days < 0 || days > LAST_DAY) return undefined;
    const right = days < FIRST_RIGHT_DAY ? days + 1 : days;
    const seconds = Math.round(((right - UNIX_DAY) * DAY_MS) / 1000);
    const [date = "", time = ""] = new Date(seconds * 1000).toISOString().slice(0, 19).split("T");
    if (kind === "time" && days < 1) return time;
    return time === "00:00:00" ? date : `${date} ${time}`;
  }

  #read(parts: DocumentParts, part: string): void {
    const own = new Map<number, Kind | undefined>();
    let isInCells = false;
    parts.readXml(part, {
      open: (name, attributes) => {
        const id = numberOf(attributes, "numFmtId") ?? 0;
        if (name === "numFmt" && own.size < MAX_FORMATS) {
          own.set(id, kindOf(attributeOf(attributes, "formatCode") ?? ""));
        } else if (name === "cellXfs") isInCells = true;
        else if (name === "xf" && isInCells && this.#kinds.length < MAX_FORMATS) {
          this.#kinds.push(own.has(id) ? own.get(id) : builtInKind(id));
        }
        return false;
      },
      close(name) {
        if (name === "cellXfs") isInCells = false;
      },
    });
  }
}

function builtInKind(id: number): Kind | undefined {
  if (DATES.has(id)) return "date";
  return TIMES.has(id) ? "time" : undefined;
}

/** Returns what a format such as "yyyy\-mm\-dd" shows; undefined for numbers. */
function kindOf(format: string): Kind | undefined {
  const [positive = ""] = format
    .slice(0, 255)
    .replace(/"[^"]*"|\\.|_.|\*.|\[[^\]]*\]/gu, "")
    .split(";");
  if (/general/iu.test(positive)) return undefined;
  if (/[dy]/iu.test(positive)) return "date";
  if (/[hs]/iu.test(positive)) return "time";
  return /m/iu.test(positive) ? "date" : undefined;
}
