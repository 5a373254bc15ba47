import { scanWords } from "../../src/parse/tokenizer.ts";
import { scanParts } from "../../src/embed/word-parts.ts";

/** The parts of the words of a text, in lower case: the program looks up the same parts in a table. */
export function wordParts(text: string): string[] {
  const parts: string[] = [];
  scanWords(text, (word) => {
    scanParts(word, (start, end) => parts.push(word.slice(start, end).toLowerCase()));
  });
  return parts;
}
