// The rules of a scanner for secrets, and for each a sample that it would find. Rules are read as data, in the form
// of gitleaks' config/gitleaks.toml; this repository holds none of them.

import { randomFrom } from "../../test/trust/planted-secrets.ts";

export interface Sample {
  readonly rule: string;
  /** A line as a file would hold it. */
  readonly line: string;
  readonly secret: string;
}

/** Parts of rules for values after the name of a vendor, by their role in a line. */
const USUAL: readonly (readonly [part: string, text: string])[] = [
  ["[\\w.-]{0,50}?", ""],
  ["(?:[ \\t\\w.-]{0,20})", "_api_token"],
  ["[\\s'\"]{0,3}", " "],
  ["(?:=|>|:{1,3}=|\\|\\||:|=>|\\?=|,)", "="],
  ["[\\x60'\"\\s=]{0,5}", ' "'],
  ["(?:[\\x60'\"\\s;]|\\\\[nr]|$)", '"'],
];

/** Rules from whose expression a sample can be made: a few are too general. */
export function samplesOf(toml: string, seed = 1): readonly Sample[] {
  const random = randomFrom(seed);
  return toml.split("[[rules]]").flatMap((text) => {
    const rule = /^id = "(.*)"$/m.exec(text)?.[1];
    const regex = /^regex = '''(.*)'''$/m.exec(text)?.[1];
    if (rule === undefined || regex === undefined) return [];
    let prepared = regex;
    for (const [part, plain] of USUAL) prepared = prepared.replaceAll(part, escaped(plain));
    const maker = new SampleMaker(prepared, random);
    const line = maker.make();
    return line === undefined ? [] : [{ rule, line, secret: maker.secret ?? line }];
  });
}

function escaped(text: string): string {
  return text.replace(/[^\w ]/g, String.raw`\$&`);
}

const DIGITS = "0123456789";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const WORD = `${DIGITS}${LETTERS}${LETTERS.toUpperCase()}`;
const CLASSES: Readonly<Record<string, string>> = { d: DIGITS, w: WORD, s: " ", S: WORD, b: "" };
/** Unlimited repetitions stop after this many; one that needs at least one has this many. */
const MORE = 8;
const SOME = 12;

/** Generates one text that a regular expression matches; undefined if it uses unknown syntax. */
class SampleMaker {
  readonly #pattern: string;
  readonly #random: () => number;
  #at = 0;
  #line = "";
  /** The match of the first group with content. */
  secret: string | undefined;

  constructor(pattern: string, random: () => number) {
    this.#pattern = pattern;
    this.#random = random;
  }

  make(): string | undefined {
    try {
      this.#line = this.#choice();
      return this.#at === this.#pattern.length ? this.#line : undefined;
    } catch {
      return undefined;
    }
  }

  #pick<T>(list: ArrayLike<T>): T {
    const one = list[Math.floor(this.#random() * list.length)];
    if (one === undefined) throw new Error("nothing to choose from");
    return one;
  }

  /** Picks one of the alternatives at random; parses all of them. */
  #choice(): string {
    const alternatives = [this.#sequence()];
    while (this.#pattern[this.#at] === "|") {
      this.#at += 1;
      alternatives.push(this.#sequence());
    }
    return this.#pick(
      alternatives
        .filter((text) => text !== "")
        .concat(alternatives.every((text) => text === "") ? [""] : []),
    );
  }

  #sequence(): string {
    let text = "";
    while (this.#at < this.#pattern.length && !"|)".includes(this.#pattern[this.#at] ?? "")) {
      text += this.#repeated();
    }
    return text;
  }

  #repeated(): string {
    const from = this.#at;
    const once = this.#atom();
    const quantifier = /^(?:\{(\d+)(,?)(\d*)\}|[*+?])\??/.exec(this.#pattern.slice(this.#at));
    if (quantifier === null) return once;
    const [all, least = "", comma, most = ""] = quantifier;
    const behind = this.#at + all.length;
    const min = least === "" ? (all.startsWith("+") ? SOME : 0) : Number(least);
    const max = comma === "" ? min : most === "" ? min + MORE : Number(most);
    const count =
      least === "" ? min : min + Math.floor(this.#random() * (Math.min(max, min + MORE) - min + 1));
    let text = "";
    for (let left = count; left > 0; left -= 1) {
      this.#at = from;
      text += this.#atom();
    }
    this.#at = behind;
    return text;
  }

  #atom(): string {
    const character = this.#pattern[this.#at] ?? "";
    this.#at += 1;
    if (character === "(") return this.#group();
    if (character === "[") return this.#pick(this.#set());
    // Usually a dot without its backslash.
    if (character === ".") return ".";
    if (character === "^" || character === "$") return "";
    if (character === "\\") {
      const next = this.#pattern[this.#at] ?? "";
      this.#at += 1;
      if (next === "x") return this.#hex();
      const known = CLASSES[next];
      return known === undefined ? next : known === "" ? "" : this.#pick(known);
    }
    return character;
  }

  #group(): string {
    const kind =
      /^\?(?:P?<\w+>|[\w-]*:|[\w-]+(?=\)))/.exec(this.#pattern.slice(this.#at))?.[0] ?? "";
    this.#at += kind.length;
    const text = this.#choice();
    this.#at += 1;
    if ((kind === "" || kind.includes("<")) && text.length > 7) this.secret ??= text;
    return text;
  }

  #hex(): string {
    const code = this.#pattern.slice(this.#at, this.#at + 2);
    this.#at += 2;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  /** The characters of a class, after its bracket. */
  #set(): string {
    if (this.#pattern[this.#at] === "^") throw new Error("negated classes are not supported");
    let set = "";
    while (this.#pattern[this.#at] !== "]") {
      if (this.#pattern.startsWith("[:alnum:]", this.#at)) {
        set += WORD;
        this.#at += 9;
        continue;
      }
      let character = this.#pattern[this.#at] ?? "";
      this.#at += 1;
      if (character === "\\") {
        character = this.#pattern[this.#at] ?? "";
        this.#at += 1;
        if (character === "x") character = this.#hex();
        else if (CLASSES[character] !== undefined) {
          set += CLASSES[character];
          continue;
        }
      }
      if (this.#pattern[this.#at] === "-" && this.#pattern[this.#at + 1] !== "]") {
        const last = this.#pattern.charCodeAt(this.#at + 1);
        this.#at += 2;
        for (let code = character.charCodeAt(0); code <= last; code += 1) {
          set += String.fromCharCode(code);
        }
      } else set += character;
    }
    this.#at += 1;
    return set;
  }
}
