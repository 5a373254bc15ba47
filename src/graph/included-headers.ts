// The headers that a C file includes, directly and indirectly.

import { BoundedCache } from "./bounded-cache.ts";

/** Maximum headers to follow per file. Most files include fewer. */
const MAX_HEADERS = 400;
/** Maximum number of files whose headers are cached. */
const MAX_CACHED_HEADER_SETS = 400;
/** Maximum number of headers whose includes are cached: Linux has 25,000. About 100 bytes each. */
const MAX_CACHED_INCLUDES = 40_000;

/** Returns the paths of the headers that the includes of a file refer to; none for a file that the index does not have. */
export type FindIncluded = (path: string) => Promise<readonly string[]>;

/** The headers of a file, closest first. */
export interface HeaderSet extends Iterable<string> {
  has(path: string): boolean;
}

/** Finds included headers. A header is read once, however many files include it. */
export class IncludedHeaders {
  readonly #included: FindIncluded;
  readonly #sets = new BoundedCache<Promise<HeaderSet>>(MAX_CACHED_HEADER_SETS);
  readonly #paths = new NumberedPaths();
  /** The includes of each file that was read, by its number. */
  #includes: (readonly number[] | undefined)[] = [];
  #known = 0;
  /** The tables of a search, for the next one. */
  #idle: VisitedNumbers | undefined;

  constructor(included: FindIncluded) {
    this.#included = included;
  }

  /** Returns the paths of the headers of a file, of which there may be more than 400. */
  of(path: string): Promise<HeaderSet> {
    return this.#sets.get(path, () => this.#headersOf(path));
  }

  async #headersOf(path: string): Promise<HeaderSet> {
    const own = this.#paths.numberOf(path);
    const visited = this.#idle ?? new VisitedNumbers();
    // Another search may begin while this one waits.
    this.#idle = undefined;
    visited.addAll([own]);
    visited.addAll(this.#includes[own] ?? (await this.#readIncludes(own)));
    for (let at = 1; at < visited.size && visited.size <= MAX_HEADERS; at += 1) {
      const number = visited.at(at);
      // oxlint-disable-next-line no-await-in-loop -- breadth first
      visited.addAll(this.#includes[number] ?? (await this.#readIncludes(number)));
    }
    const headers = this.#paths.setOf(visited.finish());
    this.#idle = visited;
    return headers;
  }

  async #readIncludes(number: number): Promise<readonly number[]> {
    const paths = await this.#included(this.#paths.pathOf(number));
    const includes = Array.from(new Set(paths), (path) => this.#paths.numberOf(path));
    if (this.#known >= MAX_CACHED_INCLUDES) {
      this.#includes = [];
      this.#known = 0;
    }
    // An array with a long gap would be a hash table.
    while (this.#includes.length <= number) this.#includes.push(undefined);
    this.#includes[number] = includes;
    this.#known += 1;
    return includes;
  }
}

/** Numbers paths in the order in which they are met. The texts are those of the file tree. */
class NumberedPaths {
  readonly #numbers = new Map<string, number>();
  readonly #paths: string[] = [];

  numberOf(path: string): number {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    const number = this.#paths.push(path) - 1;
    this.#numbers.set(path, number);
    return number;
  }

  pathOf(number: number): string {
    return this.#paths[number] ?? "";
  }

  /** Returns the set of the paths with these numbers. */
  setOf(numbers: Uint32Array): HeaderSet {
    return new NumberedSet(numbers, this.#numbers, this.#paths);
  }
}

/** It is small, and few paths are looked up in it. */
class NumberedSet implements HeaderSet {
  readonly #members: Uint32Array;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #paths: readonly string[];

  constructor(
    members: Uint32Array,
    numbers: ReadonlyMap<string, number>,
    paths: readonly string[],
  ) {
    this.#members = members;
    this.#numbers = numbers;
    this.#paths = paths;
  }

  has(path: string): boolean {
    const number = this.#numbers.get(path);
    return number !== undefined && this.#members.includes(number);
  }

  *[Symbol.iterator](): Generator<string> {
    for (const number of this.#members) yield this.#paths[number] ?? "";
  }
}

/**
 * Distinct numbers in the order in which they are added. Its tables are used again: sets and lists of the headers of
 * thousands of files were a third of what a query about Linux allocates.
 */
class VisitedNumbers {
  #inOrder = new Uint32Array(1024);
  /** `#round` for each of them. */
  #marks = new Uint32Array(1024);
  #round = 1;
  size = 0;

  at(index: number): number {
    return this.#inOrder[index] ?? 0;
  }

  addAll(numbers: readonly number[]): void {
    for (const number of numbers) {
      if (number >= this.#marks.length) this.#growMarks(number);
      if (this.#marks[number] === this.#round) continue;
      this.#marks[number] = this.#round;
      if (this.size === this.#inOrder.length) this.#growOrder();
      this.#inOrder[this.size++] = number;
    }
  }

  /** Returns a copy of the numbers from the second on, and forgets them. */
  finish(): Uint32Array {
    const numbers = this.#inOrder.slice(1, this.size);
    this.#round += 1;
    this.size = 0;
    return numbers;
  }

  #growMarks(number: number): void {
    const marks = new Uint32Array(number * 2);
    marks.set(this.#marks);
    this.#marks = marks;
  }

  #growOrder(): void {
    const inOrder = new Uint32Array(this.size * 2);
    inOrder.set(this.#inOrder);
    this.#inOrder = inOrder;
  }
}
