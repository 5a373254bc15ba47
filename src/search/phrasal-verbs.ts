// Verbs with a particle: a question is about how something is "backed up", and a program has a "backup".

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
/** Of shorter ones too little is left, and longer ones are no verbs with a particle. */
const VERB_LENGTH = { min: 3, max: 12 } as const;

/** Returns the nouns that programs make of two words, `backup` of `backed` and `up`; empty for other pairs. */
export function nounsOf(verb: string, particle: string): readonly string[] {
  const lower = verb.toLowerCase();
  const { min, max } = VERB_LENGTH;
  if (!PARTICLES.has(particle.toLowerCase())) return [];
  if (lower.length < min || lower.length > max || !/^[a-z]+$/.test(lower)) return [];
  return basesOf(lower).map((base) => base + particle.toLowerCase());
}

/** The verb without its ending, in each way in which that may have been added: `logged`, `timed`, `shutting`, `backs`. */
function basesOf(verb: string): readonly string[] {
  const stem = /^(.{2,})(?:ed|ing)$/.exec(verb)?.[1];
  if (stem === undefined) return [verb.replace(/(?<=[^s])s$/, "")];
  const isDoubled = stem.at(-1) === stem.at(-2);
  return isDoubled ? [stem, stem.slice(0, -1)] : [stem, `${stem}e`];
}
