// The terms under which the table of names has a name: its sub-words, and the letters with which the first of them begin.

import { subWords } from "./sub-words.ts";

/** Begins terms of initials. No sub-word has it. */
const INITIALS = "/";
/** Letters of such a term. A query for an acronym has as many or more. */
export const INITIALS_LENGTH = 3;

/** Returns the distinct terms of a name. */
export function termsOfName(name: string): readonly string[] {
  const words = subWords(name);
  const terms = [...new Set(words)];
  if (words.length >= INITIALS_LENGTH) terms.push(initialsTerm(initialsOf(words)));
  return terms;
}

/** Returns the first letters of sub-words. */
export function initialsOf(words: readonly string[]): string {
  return words.map((word) => word.charAt(0)).join("");
}

/** Returns the term of the names whose initials begin as these do. */
export function initialsTerm(initials: string): string {
  return INITIALS + initials.slice(0, INITIALS_LENGTH);
}

/** Returns whether a term is a sub-word. */
export function isSubWord(term: string): boolean {
  return !term.startsWith(INITIALS);
}
