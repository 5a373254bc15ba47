// All pairs of all packages as numbers: the text is released as soon as its words are counted.
import { hash } from "node:crypto";

import type { Grammars } from "../../src/parse/syntax.ts";
import { NumberLists } from "./number-lists.ts";
import { pairsOf, type Pair } from "./pairs.ts";
import type { SourcePackage } from "./sources.ts";
import { wordParts } from "./words.ts";

/** The frequency of a word in the training pairs. */
export interface WordCount {
  readonly word: string;
  occurrences: number;
  files: number;
  packages: number;
}

export interface Corpus {
  readonly words: readonly WordCount[];
  /** By pair: the numbers of its words, which index `words`, repeats included. */
  readonly questions: NumberLists;
  readonly answers: NumberLists;
  /** By pair: the number of its package; ascending. */
  readonly packages: readonly number[];
  /** Packages for evaluation; they are not used for training. */
  readonly heldOut: readonly Pair[];
}

interface Reading {
  readonly grammars: Grammars;
  /** By the path of a file in its folder: whether its pairs are held out. */
  readonly isHeldOut: (path: string) => boolean;
}

/**
 * Reads the packages one after the other. A text that two files or two packages share counts once, at its first
 * occurrence, so that no copy is in both the training set and the evaluation set.
 */
export function readCorpus(
  packages: readonly SourcePackage[],
  { grammars, isHeldOut }: Reading,
): Corpus {
  const counter = new WordCounter();
  const questions = new NumberLists();
  const answers = new NumberLists();
  const packageOf: number[] = [];
  const heldOut: Pair[] = [];
  const everywhere = new Set<string>();
  for (const [number, { files }] of packages.entries()) {
    const inPackage = new Set<string>();
    for (const file of files) {
      counter.enterFile(number);
      for (const pair of pairsOf(file, grammars)) {
        const question = pair.question.toLowerCase();
        const beginning = hash("sha1", question + pair.answer.slice(0, 200), "base64");
        if (inPackage.has(question) || everywhere.has(beginning)) continue;
        inPackage.add(question);
        everywhere.add(beginning);
        if (isHeldOut(file.path)) {
          heldOut.push(pair);
          continue;
        }
        questions.add(counter.count(pair.question));
        answers.add(counter.count(`${stemOf(file.path)} ${pair.answer}`));
        packageOf.push(number);
      }
    }
  }
  return { words: counter.words, questions, answers, packages: packageOf, heldOut };
}

/** The name of a file without its extension, which describes its code. */
function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
}

/** Numbers words in the order of their first use. */
class WordCounter {
  readonly words: (WordCount & { lastFile: number; lastPackage: number })[] = [];
  readonly #numbers = new Map<string, number>();
  #file = 0;
  #package = 0;

  enterFile(packageNumber: number): void {
    this.#file += 1;
    this.#package = packageNumber;
  }

  /** The numbers of the words of a text; the words are counted. */
  count(text: string): number[] {
    return wordParts(text).map((part) => this.#count(part));
  }

  #count(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.words.length;
      this.#numbers.set(word, number);
      this.words.push({
        word,
        occurrences: 0,
        files: 0,
        packages: 0,
        lastFile: -1,
        lastPackage: -1,
      });
    }
    const count = this.words[number];
    if (count === undefined) return number;
    count.occurrences += 1;
    if (count.lastFile !== this.#file) count.files += 1;
    if (count.lastPackage !== this.#package) count.packages += 1;
    count.lastFile = this.#file;
    count.lastPackage = this.#package;
    return number;
  }
}
