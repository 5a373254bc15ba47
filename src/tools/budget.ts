/** How a note about what is left out names the limit: as an argument of a tool, or a flag of a command. */
export type LimitName = "max_tokens" | "--max-tokens";

/** Characters left for a reply, at four characters per token, the usual estimate for source text. */
export interface CharacterBudget {
  /** Reserves characters for the end of the reply. */
  readonly reserve: (characters: number) => void;
  /** Takes the text and a line end when they fit. Otherwise takes nothing and returns false. */
  readonly tryTake: (text: string) => boolean;
  readonly left: () => number;
}

export function characterBudget(tokens: number): CharacterBudget {
  let left = tokens * 4;
  return {
    reserve(characters) {
      left -= characters;
    },
    left: () => left,
    tryTake(text) {
      if (text.length + 1 > left) return false;
      left -= text.length + 1;
      return true;
    },
  };
}
