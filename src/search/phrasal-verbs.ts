// Phrasal verbs: a question asks how something is "backed up", and the program calls it a "backup".

const PARTICLES: ReadonlySet<string> = new Set([
  "back",
  "down",
  "in",
  "off",
  "on",
  "out",
  "over",
  "up",
]);
/** Shorter verbs have too few letters left, and longer ones are not phrasal verbs. */
const VERB_LENGTH = { min: 3, max: 12 } as const;

/**
 * Returns the nouns that programs form from two words, such as `backup` from `backed` and `up`; empty for other pairs.
 */
export function nounsOf(verb: string, particle: string): readonly string[] {
  const lower = verb.toLowerCase();
  const { min, max } = VERB_LENGTH;
  if (!PARTICLES.has(particle.toLowerCase())) return [];
  if (lower.length < min || lower.length > max || !/^[a-z]+$/.test(lower)) return [];
  return basesOf(lower).map((base) => base + particle.toLowerCase());
}

/** The possible stems of a verb form: `logged`, `timed`, `shutting`, `backs`. */
function basesOf(verb: string): readonly string[] {
  const stem = /^(.{2,})(?:ed|ing)$/.exec(verb)?.[1];
  if (stem === undefined) return [verb.replace(/(?<=[^s])s$/, "")];
  const isDoubled = stem.at(-1) === stem.at(-2);
  return isDoubled ? [stem, stem.slice(0, -1)] : [stem, `${stem}e`];
}
