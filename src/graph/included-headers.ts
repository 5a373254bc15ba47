// The headers that a C file includes, directly and indirectly.

import { BoundedCache } from "./bounded-cache.ts";
import type { ScopedFile } from "./entity.ts";

/** Maximum headers to follow per file. Most files include fewer. */
const MAX_HEADERS = 400;
/** Maximum number of files whose headers are cached. */
const MAX_CACHED_HEADER_SETS = 400;
/** Maximum number of headers whose includes are cached: Linux has 25,000. About 100 bytes each. */
const MAX_CACHED_INCLUDES = 40_000;

type Including = Pick<ScopedFile, "path" | "language" | "package" | "imports">;

/** What `IncludedHeaders` reads. */
export interface HeaderSources {
  /** Returns what a header includes. */
  readonly header: (path: string) => Promise<Including | undefined>;
  /** Returns the path of the header that an include refers to. */
  readonly target: (file: Including, module: string) => string | undefined;
}

/** The headers of a file, closest first. */
export interface HeaderSet extends Iterable<string> {
  readonly has: (path: string) => boolean;
}

/** Finds included headers. A header is read once, however many files include it. */
export class IncludedHeaders {
  readonly #sources: HeaderSources;
  readonly #sets = new BoundedCache<Promise<HeaderSet>>(MAX_CACHED_HEADER_SETS);
  readonly #paths = new NumberedPaths();
  /** The includes of each header that was read. */
  #includes = new Map<number, readonly number[]>();
  /** Zeros, for the next search. */
  #marks: Uint8Array = new Uint8Array(0);

  constructor(sources: HeaderSources) {
    this.#sources = sources;
  }

  /** Returns the paths of the headers of a file, of which there may be more than 400. */
  of(file: Including): Promise<HeaderSet> {
    return this.#sets.get(file.path, () => this.#headersOf(file));
  }

  async #headersOf(start: Including): Promise<HeaderSet> {
    const own = this.#paths.numberOf(start.path);
    const visited = new VisitedNumbers(this.#marks);
    // Another search may begin while this one waits.
    this.#marks = new Uint8Array(0);
    visited.addAll([own, ...this.#includesOf(start)]);
    for (const number of visited.inOrder) {
      if (visited.inOrder.length > MAX_HEADERS) break;
      if (number === own) continue;
      // oxlint-disable-next-line no-await-in-loop -- breadth first
      visited.addAll(this.#includes.get(number) ?? (await this.#readIncludes(number)));
    }
    this.#marks = visited.clear();
    return this.#paths.setOf(visited.inOrder.slice(1));
  }

  async #readIncludes(number: number): Promise<readonly number[]> {
    const header = await this.#sources.header(this.#paths.pathOf(number));
    const includes = header === undefined ? [] : this.#includesOf(header);
    if (this.#includes.size >= MAX_CACHED_INCLUDES) this.#includes = new Map();
    this.#includes.set(number, includes);
    return includes;
  }

  #includesOf(file: Including): readonly number[] {
    const numbers = new Set<number>();
    for (const { isWildcard, module } of file.imports) {
      const path = isWildcard ? this.#sources.target(file, module) : undefined;
      if (path !== undefined) numbers.add(this.#paths.numberOf(path));
    }
    return [...numbers];
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

  /** Returns the set of the paths with these numbers. It is small, and few paths are looked up in it. */
  setOf(numbers: readonly number[]): HeaderSet {
    const all = this.#paths;
    return {
      has: (path) => {
        const number = this.#numbers.get(path);
        return number !== undefined && numbers.includes(number);
      },
      *[Symbol.iterator]() {
        for (const number of numbers) yield all[number] ?? "";
      },
    };
  }
}

/** Distinct numbers in the order in which they are added. */
class VisitedNumbers {
  /** Grows while it is read. */
  readonly inOrder: number[] = [];
  /** 1 for each of them. A table is faster than a set: a query about Linux adds five million numbers. */
  #marks: Uint8Array;

  /** `marks`: a table of zeros, to which `clear` returns it. */
  constructor(marks: Uint8Array) {
    this.#marks = marks;
  }

  addAll(numbers: readonly number[]): void {
    for (const number of numbers) {
      if (number >= this.#marks.length) this.#marks = grown(this.#marks, number);
      if (this.#marks[number] === 1) continue;
      this.#marks[number] = 1;
      this.inOrder.push(number);
    }
  }

  /** Returns the table of zeros again. */
  clear(): Uint8Array {
    for (const number of this.inOrder) this.#marks[number] = 0;
    return this.#marks;
  }
}

function grown(marks: Uint8Array, number: number): Uint8Array {
  const larger = new Uint8Array(Math.max(1024, number * 2));
  larger.set(marks);
  return larger;
}
