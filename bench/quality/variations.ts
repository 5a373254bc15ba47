// Variations of a query: typos, inflections, joined, separated and reordered words.
import { pick, type Random } from "./random.ts";

/** Returns the query unchanged if there is nothing to vary. */
export type Variation = (query: string, random: Random) => string;

/** Variation name -> variation. */
export const VARIATIONS: Readonly<Record<string, Variation>> = {
  "typo in a word": withTypo,
  "another slip in a word": withAnotherTypo,
  "singular and plural": withOtherNumber,
  "identifiers as words": withSeparatedIdentifiers,
  "two words as identifier": withJoinedWords,
  "two words without a space": withoutSpace,
  "British spelling": withBritishSpelling,
  "words in another order": withOtherOrder,
};

/** Shorter words are seldom mistyped, and hard to recognise when they are. */
const LONG_WORD = /\p{L}{7,}/gu;
const TYPO_WORD = /[A-Za-z]{5,}/g;
/** Words between blanks, quotes and punctuation; nothing that looks like code. */
const PLAIN_WORD = /(?<![^\s"'(,;])[a-z]{3,}(?![^\s"'),;:?!.]|[.:!]\S|\()/g;
const IDENTIFIER = /(?<![\p{L}\p{N}_])[A-Za-z][A-Za-z0-9_]*/gu;
/** The positions in a name where a word begins: after `_`, before `B` in `aB`, before `Bc` in `ABc`. */
const WORD_STARTS = /_+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;

/** Words that are not nouns, and not parts of names. */
const FUNCTION_WORDS = new Set(
  (
    "about above after again against all also and another any are because been before being below " +
    "between both but can cannot could did does doing done during each either else ever every few for " +
    "from get gets give given gives had happen happens has have how into its just let lets like made " +
    "make makes many may might more most much must need needs neither new nor not now off once one only " +
    "onto other our out over own per same shall she should show since some such take takes than that the " +
    "their them then there these they this those through too two under until upon use used uses using very " +
    "via was way were what when where whether which while who whom whose why will with within without " +
    "would yes yet you your"
  ).split(" "),
);

/** Swaps two neighbouring letters in one of the long words, after its first letter. */
function withTypo(query: string, random: Random): string {
  const places = Array.from(query.matchAll(LONG_WORD), (match) => swaps(match[0], match.index));
  const swap = pick(
    pick(
      places.filter((word) => word.length > 0),
      random,
    ) ?? [],
    random,
  );
  if (swap === undefined) return query;
  const { at, letters } = swap;
  return `${query.slice(0, at)}${letters}${query.slice(at + letters.length)}`;
}

interface Swap {
  readonly at: number;
  /** The resulting text. */
  readonly letters: string;
}

function swaps(word: string, start: number): readonly Swap[] {
  return Array.from({ length: word.length - 2 }, (_letter, before) => {
    const [one = "", other = ""] = [word[before + 1], word[before + 2]];
    return { at: start + before + 1, letters: `${other}${one}`, isSame: one === other };
  }).filter(({ isSame }) => !isSame);
}

/** Omits a letter of one of the words, doubles it or replaces it, after its first letter. */
function withAnotherTypo(query: string, random: Random): string {
  const word = pick(Array.from(query.matchAll(TYPO_WORD)), random);
  if (word === undefined) return query;
  const at = word.index + 1 + Math.floor(random() * (word[0].length - 1));
  const letter = query[at] ?? "";
  const others = Array.from("abcdefghijklmnopqrstuvwxyz").filter((other) => other !== letter);
  const typed = pick(["", letter + letter, pick(others, random) ?? ""], random) ?? "";
  return `${query.slice(0, at)}${typed}${query.slice(at + 1)}`;
}

/**
 * Changes every noun from singular to plural or back. Words without the ending of another word class count as nouns.
 */
function withOtherNumber(query: string): string {
  return query.replaceAll(PLAIN_WORD, (word) =>
    FUNCTION_WORDS.has(word) || /(?:ing|ed|ly|ous|ive|able|ible|ful|less)$/.test(word)
      ? word
      : otherNumber(word),
  );
}

function otherNumber(word: string): string {
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, "y");
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2);
  if (/[^siu]s$/.test(word)) return word.slice(0, -1);
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, "ies");
  return /(?:s|sh|ch|x|z)$/.test(word) ? `${word}es` : `${word}s`;
}

/** Writes every name of several words, `parseFlags` or `parse_flags`, as its words. */
function withSeparatedIdentifiers(query: string): string {
  return query.replaceAll(IDENTIFIER, (name) => {
    const words = name.split(WORD_STARTS).filter((word) => word !== "");
    return words.length > 1 ? words.join(" ").toLowerCase() : name;
  });
}

/** Writes two neighbouring words as one name: `parse flags` becomes `parseFlags`. */
function withJoinedWords(query: string, random: Random): string {
  return withoutBlank(query, random, (word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`);
}

/** Forgets the space between two words: `parse flags` becomes `parseflags`. */
function withoutSpace(query: string, random: Random): string {
  return withoutBlank(query, random, (word) => word);
}

/** Writes two neighbouring words as one; `joined` returns the form of the second word. */
function withoutBlank(query: string, random: Random, joined: (word: string) => string): string {
  const words = Array.from(query.matchAll(PLAIN_WORD)).filter(
    ([word]) => !FUNCTION_WORDS.has(word),
  );
  const pairs = words.flatMap((first, at) => {
    const second = words[at + 1];
    const between = first.index + first[0].length;
    return second !== undefined && query.slice(between, second.index) === " "
      ? [{ first, second }]
      : [];
  });
  const pair = pick(pairs, random);
  if (pair === undefined) return query;
  const { first, second } = pair;
  const [word] = second;
  return `${query.slice(0, first.index)}${first[0]}${joined(word)}${query.slice(second.index + word.length)}`;
}

const BRITISH: readonly (readonly [RegExp, string])[] = [
  [/ize(?=[ds]?$)/, "ise"],
  [/iz(?=ing$|ation$)/, "is"],
  [/(?<=col|behavi)or/, "our"],
  [/(?<=licen)s(?=es?$)/, "c"],
  [/(?<=cancel|label|model|signal)(?=ed$|ing$)/, "l"],
  [/^center/, "centre"],
  [/^gray$/, "grey"],
  [/^catalog$/, "catalogue"],
  [/(?<=anal)yze/, "yse"],
];

/** Writes American words with British spelling; names of programs stay. */
function withBritishSpelling(query: string): string {
  return query.replaceAll(PLAIN_WORD, (word) =>
    BRITISH.reduce((text, [pattern, spelling]) => text.replace(pattern, spelling), word),
  );
}

/** Fisher and Yates' shuffle, as Durstenfeld put it. */
function withOtherOrder(query: string, random: Random): string {
  const words = query.trim().split(/\s+/);
  if (new Set(words).size < 2) return query;
  const order = [...words];
  do {
    for (let last = order.length - 1; last > 0; last -= 1) {
      const other = Math.floor(random() * (last + 1));
      [order[last], order[other]] = [order[other] ?? "", order[last] ?? ""];
    }
  } while (order.every((word, at) => word === words[at]));
  return order.join(" ");
}
