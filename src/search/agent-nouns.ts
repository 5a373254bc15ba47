// Agent nouns and their verbs: someone who looks for a `FeedRefresher` also means `refreshFeed`.

const AGENT = /^([a-z]{4,})[eo]r$/;
/** Nouns in -er and -or that no verb makes, or whose verb means something else. */
const OTHER_NOUNS = new Set(
  "buffer character cluster color container corner counter error factor filter folder footer header identifier integer layer letter number order parameter pointer power register selector server timer trigger user vector".split(
    " ",
  ),
);

/** Returns the stems that the verb of a noun in lower case may have, or none: `refresh`, `calculat`; `formatt` and `format`. */
export function verbStemsOf(noun: string): readonly string[] {
  const stem = OTHER_NOUNS.has(noun) ? undefined : AGENT.exec(noun)?.[1];
  if (stem === undefined) return [];
  const isDoubled = stem.at(-1) === stem.at(-2) && !/[aeiouls]$/.test(stem);
  return isDoubled ? [stem, stem.slice(0, -1)] : [stem];
}
