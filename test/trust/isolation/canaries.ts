// Words that only one namespace contains, one for each kind of place, and where they may appear.

/** By the kind of place. Lower-case letters, since searches ignore case. */
export interface Canaries {
  readonly content: string;
  readonly file: string;
  readonly symbol: string;
  readonly folder: string;
  readonly commit: string;
  readonly question: string;
  readonly namespace: string;
}

/** Of a namespace; `letter` distinguishes its canaries from others. */
export function canariesOf(letter: string): Canaries {
  // Not made of parts that a tokenizer, a stemmer or a typo correction could produce.
  const word = (place: number): string => `zq${letter}${place}xk${letter}vwj`;
  return {
    content: word(0),
    file: word(1),
    symbol: word(2),
    folder: word(3),
    commit: word(4),
    question: word(5),
    namespace: word(6),
  };
}

const ENCODED = /[\w-]{16,}/g;

/** The canaries that an answer has and its request has not, also inside of cursors. */
export function leaked(
  hidden: readonly Canaries[],
  { answer, request }: { readonly answer: string; readonly request: string },
): readonly string[] {
  const said = decoded(request);
  const text = decoded(answer);
  return hidden
    .flatMap((canaries) => Object.values<string>({ ...canaries }))
    .filter((canary) => text.includes(canary) && !said.includes(canary));
}

function decoded(text: string): string {
  const inside = [...text.matchAll(ENCODED)].map(([part]) =>
    Buffer.from(part.replace(/^chg_/, ""), "base64url").toString("latin1"),
  );
  return [text, ...inside].join("\n").toLowerCase();
}
