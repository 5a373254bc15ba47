// Whether the code still has a name, a flag or a file.

import type { IndexReader } from "../../index/port.ts";
import { literal } from "../../index/literal-query.ts";
import type { FileFacts } from "../../index/types.ts";
import type { TextReader } from "../../sources/text/port.ts";
import { codeWords, isConstant } from "./code-names.ts";

/** Files that are read to find one name. */
const MAX_FILES_PER_NAME = 2000;

/** Looks up names in the current files of an index. */
export class CurrentNames {
  readonly #reader: Pick<IndexReader, "textCandidates" | "symbolsNamed">;
  readonly #texts: TextReader;
  readonly #known = new Map<string, boolean>();

  constructor(reader: Pick<IndexReader, "textCandidates" | "symbolsNamed">, texts: TextReader) {
    this.#reader = reader;
    this.#texts = texts;
  }

  /** Whether any file but documentation has the word, in any of the spellings. */
  async has(spellings: readonly string[]): Promise<boolean> {
    const key = spellings.join(" ");
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    let isFound = false;
    for (const word of spellings) {
      // oxlint-disable-next-line no-await-in-loop -- the first one decides
      isFound = (await this.#isDefined(word)) || (await this.#isWord(word));
      if (isFound) break;
    }
    this.#known.set(key, isFound);
    return isFound;
  }

  async #isDefined(word: string): Promise<boolean> {
    const [symbol] = await this.#reader.symbolsNamed(word, 1);
    return symbol?.name === word && symbol.kind !== "section";
  }

  async #isWord(word: string): Promise<boolean> {
    let files = 0;
    const options = { filter: ({ role }: FileFacts) => role !== "docs" };
    for await (const { path } of this.#reader.textCandidates(literal(word), options)) {
      const text = await this.#texts.read(path);
      if ("problem" in text) continue;
      // A name with a common part is not searched for without end: it counts as there.
      files += 1;
      if (files > MAX_FILES_PER_NAME) return true;
      if (hasWord(text.text, word)) return true;
    }
    return false;
  }
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    const start = text.lastIndexOf("\n", at) + 1;
    const end = text.indexOf("\n", at + word.length);
    // Only the part of a long line around the word.
    const line = text.slice(
      Math.max(start, at - 200),
      Math.min(end === -1 ? text.length : end, at + 200),
    );
    if (codeWords(line).has(word)) return true;
  }
  return false;
}

/** The spellings of a flag in code: `max-depth`, `max_depth`, `maxDepth`. */
export function spellingsOfFlag(flag: string): readonly string[] {
  const snake = flag.replaceAll("-", "_");
  const camel = flag.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  const pascal = camel.slice(0, 1).toUpperCase() + camel.slice(1);
  return [...new Set([flag, snake, camel, pascal, snake.toUpperCase()])];
}

/**
 * The spellings of a name in code: those of a constant also without its first parts, because a program may put a prefix
 * before the names of settings: `CELERY_CACHE_BACKEND`, `CACHE_BACKEND`, `cache_backend`.
 */
export function spellingsOfName(name: string): readonly string[] {
  if (!isConstant(name)) return [name];
  const parts = name.split("_").filter((part) => part !== "");
  const shorter = [parts.slice(1), parts.slice(2)].map((rest) => rest.join("_"));
  const [first = "", ...others] = shorter;
  const sure = [first, ...others].filter((one) => one.includes("_"));
  return [...new Set([name, first, ...sure, ...sure.map((one) => one.toLowerCase())])].filter(
    (one) => one.length > 2,
  );
}
