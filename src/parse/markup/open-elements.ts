// The elements and blocks that are open at a place of markup. An element may be left open: `<li>`.

interface OpenPart {
  readonly name: string;
  /** What ends its scopes. */
  readonly closing: string;
  readonly onClose: (() => void) | undefined;
}

/** Deeper parts have no scopes of their own. */
const MAX_SCOPES = 64;

/** The open elements and blocks. */
export class OpenElements {
  readonly #write: (code: string) => void;
  readonly #parts: OpenPart[] = [];
  readonly #counts = new Map<string, number>();
  #scopes = 0;

  constructor(write: (code: string) => void) {
    this.#write = write;
  }

  /** Returns whether a part may have scopes. */
  get mayOpenScope(): boolean {
    return this.#scopes < MAX_SCOPES;
  }

  /** Returns the name of the innermost part; "" if nothing is open. */
  get innermost(): string {
    return this.#parts.at(-1)?.name ?? "";
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0;
  }

  /** Returns the innermost of two kinds of parts; "" if neither is open. */
  innermostOf(one: string, other: string): string {
    if (!this.has(one)) return this.has(other) ? other : "";
    if (!this.has(other)) return one;
    return this.#parts.findLast(({ name }) => name === one || name === other)?.name ?? "";
  }

  /** `closing`: what ends the scopes of the part. */
  open(name: string, closing = "", onClose?: () => void): void {
    this.#parts.push({ name, closing, onClose });
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    if (closing !== "") this.#scopes += 1;
  }

  /** Closes the innermost part of that name, and those in it. Returns false if there is none. */
  close(name: string): boolean {
    if (!this.has(name)) return false;
    while (this.#closeLast() !== name);
    return true;
  }

  /** Closes the parts in the innermost part of that name. Returns false if there is none. */
  closeInside(name: string): boolean {
    if (!this.has(name)) return false;
    while (this.innermost !== name) this.#closeLast();
    return true;
  }

  closeAll(): void {
    while (this.#parts.length > 0) this.#closeLast();
  }

  #closeLast(): string {
    const part = this.#parts.pop();
    if (part === undefined) return "";
    this.#counts.set(part.name, (this.#counts.get(part.name) ?? 1) - 1);
    part.onClose?.();
    if (part.closing !== "") {
      this.#scopes -= 1;
      this.#write(part.closing);
    }
    return part.name;
  }
}
