// A small corpus in which comments and code use different words, so that only a model of related
// words finds the code of a comment.

/** Words of comments, and the words of code for the same things. */
const VERBS = [
  ["removes", "drop"],
  ["fetches", "load"],
  ["compares", "diff"],
  ["joins", "merge"],
  ["repeats", "retry"],
  ["orders", "sort"],
  ["checks", "assert"],
  ["writes", "flush"],
  ["starts", "spawn"],
  ["shrinks", "compact"],
] as const;
const NOUNS = [
  ["picture", "bitmap"],
  ["customer", "client"],
  ["password", "secret"],
  ["message", "packet"],
  ["folder", "directory"],
  ["sentence", "token"],
  ["invoice", "bill"],
  ["weather", "forecast"],
  ["engine", "motor"],
  ["garden", "plot"],
] as const;
const PLACES = [
  ["disk", "volume"],
  ["network", "socket"],
  ["queue", "backlog"],
  ["archive", "bundle"],
] as const;

interface Words {
  readonly comment: string;
  readonly verb: string;
  readonly noun: string;
  readonly place: string;
}

type Language = (words: Words) => string;

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const LANGUAGES: readonly (readonly [string, Language])[] = [
  [
    "ts",
    ({ comment, verb, noun, place }) =>
      `/** ${comment} */\nexport function ${verb}${capital(noun)}(${place}: Store): Store {\n` +
      `  return ${place}.${verb}("${noun}");\n}\n`,
  ],
  [
    "py",
    ({ comment, verb, noun, place }) =>
      `def ${verb}_${noun}(${place}):\n    """${comment}"""\n    return ${place}.${verb}(${noun}=True)\n`,
  ],
  [
    "go",
    ({ comment, verb, noun, place }) =>
      `// ${comment}\nfunc ${capital(verb)}${capital(noun)}(${place} *Store) error {\n` +
      `\treturn ${place}.${capital(verb)}("${noun}")\n}\n`,
  ],
];

/** 400 functions in 40 files of three languages, by path; every word in many of them. */
export function documentedSources(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [v, [says, verb]] of VERBS.entries()) {
    for (const [p, [where, place]] of PLACES.entries()) {
      const number = v * PLACES.length + p;
      const [ending, write] = LANGUAGES[number % LANGUAGES.length] ?? ["", () => ""];
      const functions = NOUNS.map(([what, noun]) =>
        write({ comment: `${capital(says)} the ${what} in the ${where}.`, verb, noun, place }),
      );
      files[`part${number}.${ending}`] = functions.join("\n");
    }
  }
  return files;
}

/** The same number of functions, each of which repeats its comment word by word: no training is needed. */
export function repeatingSources(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const [first, [verb]] of VERBS.entries()) {
    for (const [second, [place]] of PLACES.entries()) {
      const functions = NOUNS.map(
        ([noun]) =>
          `/** ${capital(verb)} ${noun} ${place}. */\nexport const ${verb}_${noun}_${place} = ["${verb}", "${noun}", "${place}"];\n`,
      );
      files[`part${first}-${second}.ts`] = functions.join("\n");
    }
  }
  return files;
}
