// Spellings of one word: British and American English, and irregular plurals, which no stemmer joins.

/** Each line is one word. */
const WORDS = `
acknowledgement acknowledgment
adapter adaptor
aging ageing
artefact artifact
axis axes
catalog catalogue
child children
converter convertor
defence defense
dialog dialogue
disc disk
enrol enroll
enquiry inquiry
fulfil fulfill
gray grey
index indices
judgement judgment
leaf leaves
licence license
licenced licensed
matrix matrices
offence offense
practice practise
program programme
vertex vertices
`;

const BY_WORD = new Map<string, readonly string[]>();
for (const line of WORDS.trim().split("\n")) {
  const words = line.split(" ");
  for (const word of words)
    BY_WORD.set(
      word,
      words.filter((other) => other !== word),
    );
}

/** Pairs of patterns and replacements. A spelling that is not a word is in no index, so it finds nothing. */
const RULES: readonly (readonly [RegExp, string])[] = [
  [
    /(?<=^(?:un|mis|dis)?(?:arm|behavi|col|fav|flav|harb|hon|hum|lab|neighb|od|rum|vap)o)u(?=r)/,
    "",
  ],
  [
    /(?<=^(?:un|mis|dis)?(?:arm|behavi|col|fav|flav|harb|hon|hum|lab|neighb|od|rum|vap)o)(?=r)/,
    "u",
  ],
  [/(?<=[a-z]{3}i)s(?=(?:e[drs]?|ers|ing|ations?|able)$)/, "z"],
  [/(?<=[a-z]{3}i)z(?=(?:e[drs]?|ers|ing|ations?|able)$)/, "s"],
  [/(?<=[a-z]{2}ly|[a-z]ly)s(?=(?:e[drs]?|ers|ing)$)/, "z"],
  [/(?<=[a-z]{2}ly|[a-z]ly)z(?=(?:e[drs]?|ers|ing)$)/, "s"],
  [/(?<=^(?:cent|calib|fib|lit|met|theat))re(?=s?$)/, "er"],
  [/(?<=^(?:cent|calib|fib|lit|met|theat))er(?=s?$)/, "re"],
  [
    /(?<=^(?:un|re)?(?:cancel|channel|dial|fuel|initial|label|level|marshal|model|panel|signal|total|travel|tunnel))l(?=(?:ed|ing|ers?|ation)$)/,
    "",
  ],
  [
    /(?<=^(?:un|re)?(?:cancel|channel|dial|fuel|initial|label|level|marshal|model|panel|signal|total|travel|tunnel))(?=(?:ed|ing|ers?)$)/,
    "l",
  ],
];

/** Returns the other spellings of a word in any case, in lower case. */
export function spellingsOf(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const known = BY_WORD.get(lower);
  if (known !== undefined) return known;
  const rule = RULES.find(([pattern]) => pattern.test(lower));
  return rule === undefined ? [] : [lower.replace(rule[0], rule[1])];
}
