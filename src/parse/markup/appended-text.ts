// Code that is made of the markup of a file and parsed after its scripts, with the places that it comes from.

/** A part of a text, in UTF-16 code units. */
export interface SourcePart {
  readonly text: string;
  /** Its offset in the file. */
  readonly at: number;
}

/** Returns a part of a part. */
export function sourcePart({ text, at }: SourcePart, from: number, to: number): SourcePart {
  return { text: text.slice(from, to), at: at + from };
}

/** Collects code. Only what is copied from the file has a place in it. */
export class AppendedText {
  readonly #pieces: string[] = [];
  /** By copied piece: its start and end here, and its offset in the file. */
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #origins: number[] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Adds code that is not in the file. */
  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
  }

  /** Adds code of the file. A name may be written in another way there: then `at` is where it begins. */
  copy({ text, at }: SourcePart): void {
    this.#starts.push(this.#length);
    this.#origins.push(at);
    this.add(text);
    this.#ends.push(this.#length);
  }

  /** Returns a place to which the code can be cut back. */
  mark(): { readonly pieces: number; readonly copies: number; readonly length: number } {
    return { pieces: this.#pieces.length, copies: this.#starts.length, length: this.#length };
  }

  /** Removes what was added after a place. */
  cutBack({ pieces, copies, length }: ReturnType<AppendedText["mark"]>): void {
    this.#pieces.length = pieces;
    this.#starts.length = copies;
    this.#ends.length = copies;
    this.#origins.length = copies;
    this.#length = length;
  }

  toString(): string {
    return this.#pieces.join("");
  }

  /** Returns the offset in the file of code at an offset here; -1 for code that is not in the file. */
  originOf(offset: number): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    const piece = low - 1;
    if (piece < 0 || offset >= (this.#ends[piece] ?? 0)) return -1;
    return (this.#origins[piece] ?? 0) + offset - (this.#starts[piece] ?? 0);
  }
}
