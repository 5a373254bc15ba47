/** Characters left of a reply; four make a token, the usual estimate for source text. */
export interface CharacterBudget {
  /** Sets characters aside for what has to come at the end. */
  readonly reserve: (characters: number) => void;
  /** Takes the text and its line end when they fit; false, and nothing taken, when they do not. */
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
