// Sets of UTF-16 code units, and their form as a character class of V8.

/** Ranges of code units, both ends inclusive, in any order. */
export type CharacterSet = readonly (readonly [number, number])[];

const MAX_UNIT = 0xffff;
const LINE_FEED = 0x0a;
const UPPER = [0x41, 0x5a] as const;
const LOWER = [0x61, 0x7a] as const;
const TO_LOWER = 0x20;

/** The named classes of RE2's syntax: https://github.com/google/re2/wiki/Syntax */
const NAMED: Readonly<Record<string, string>> = {
  alnum: "09AZaz",
  alpha: "AZaz",
  ascii: "\0\x7f",
  blank: "\t\t  ",
  cntrl: "\0\x1f\x7f\x7f",
  digit: "09",
  graph: "!~",
  lower: "az",
  print: " ~",
  punct: "!/:@[`{~",
  space: "\t\r  ",
  upper: "AZ",
  word: "09AZ__az",
  xdigit: "09AFaf",
  d: "09",
  w: "09AZ__az",
  // Without the vertical tab, unlike the class above.
  s: "\t\n\f\r  ",
};

/** The class with this name, as in `[:alpha:]` or `\d`; undefined when there is none. */
export function namedSet(name: string): CharacterSet | undefined {
  const pairs = Object.hasOwn(NAMED, name) ? NAMED[name]?.match(/[^]{2}/g) : undefined;
  return pairs?.map((pair) => [pair.charCodeAt(0), pair.charCodeAt(1)]);
}

export function complement(set: CharacterSet): CharacterSet {
  const ranges: [number, number][] = [];
  let from = 0;
  for (const [low, high] of set.toSorted(([one], [other]) => one - other)) {
    if (low > from) ranges.push([from, low - 1]);
    from = Math.max(from, high + 1);
  }
  if (from <= MAX_UNIT) ranges.push([from, MAX_UNIT]);
  return ranges;
}

/**
 * The set with the other cases of its letters. Undefined for ranges beyond ASCII, which are not supported.
 */
export function inAnyCase(set: CharacterSet): CharacterSet | undefined {
  const more: (readonly [number, number])[] = [];
  for (const [low, high] of set) {
    if (high >= 0x80) {
      if (low !== high) return undefined;
      for (const one of casesOf(String.fromCharCode(low))) {
        more.push([one.charCodeAt(0), one.charCodeAt(0)]);
      }
      continue;
    }
    const [upper, lower] = [overlap([low, high], UPPER), overlap([low, high], LOWER)];
    if (upper !== undefined) more.push([upper[0] + TO_LOWER, upper[1] + TO_LOWER]);
    if (lower !== undefined) more.push([lower[0] - TO_LOWER, lower[1] - TO_LOWER]);
  }
  return [...set, ...more];
}

function overlap(
  one: readonly [number, number],
  other: readonly [number, number],
): [number, number] | undefined {
  const [low, high] = [Math.max(one[0], other[0]), Math.min(one[1], other[1])];
  return low <= high ? [low, high] : undefined;
}

/** The character in all its cases. A character whose other case is several letters (ß, SS) stays alone. */
export function casesOf(character: string): readonly string[] {
  const cases = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  return [...cases].every(({ length }) => length === character.length) ? [...cases] : [character];
}

/** The set without the line feed, as a character class of V8. */
export function classOf(set: CharacterSet): string {
  const ranges = set
    .flatMap(([low, high]): CharacterSet =>
      low <= LINE_FEED && LINE_FEED <= high
        ? [
            [low, LINE_FEED - 1],
            [LINE_FEED + 1, high],
          ]
        : [[low, high]],
    )
    .filter(([low, high]) => low <= high);
  return `[${ranges.map(([low, high]) => unit(low) + (high > low ? `-${unit(high)}` : "")).join("")}]`;
}

/** Escapes everything except ASCII letters and digits, so that nothing is read as syntax. */
function unit(code: number): string {
  const text = String.fromCharCode(code);
  return /^[0-9A-Za-z]$/.test(text) ? text : `\\u${code.toString(16).padStart(4, "0")}`;
}
