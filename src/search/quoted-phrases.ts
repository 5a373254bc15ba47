// Texts that a query may quote.

import { scanWords } from "../parse/tokenizer.ts";

/** Shorter texts are keywords, and the words of longer ones are seldom all in one passage. */
const MIN_WORDS = 4;
const MAX_CHARS = 200;
/** Prefixes that a program puts before a message: `Error: …`, `[warn] …`, `app.db: …`. */
const PREFIX = /^\s*(?:\[[^\]]{1,40}\]|[\w.()-]{1,60}:)\s+/;

/**
 * Returns the phrases that a text may quote, as words: the whole text, its parts in quotes, and the part after a
 * prefix.
 */
export function quotedPhrases(text: string): readonly string[] {
  if (text.length > MAX_CHARS) return [];
  const quoted = /["“`]([^"”`]+)["”`]/.exec(text)?.[1];
  const parts = [text, text.replace(PREFIX, ""), ...(quoted === undefined ? [] : [quoted])];
  const phrases = parts.map(wordsOnly).filter((words) => words.split(" ").length >= MIN_WORDS);
  return [...new Set(phrases)];
}

/** The words of a text in lower case, with a space between any two: as if it had no quotes and line breaks. */
export function wordsOnly(text: string): string {
  const words: string[] = [];
  scanWords(text, (word) => void words.push(word.toLowerCase()));
  return words.join(" ");
}
