// The headers that a C file includes, directly and indirectly.

import { BoundedCache } from "./bounded-cache.ts";
import type { ScopedFile } from "./entity.ts";

/** Maximum headers to follow per file. Most files include fewer. */
const MAX_HEADERS = 400;
/** Maximum number of files whose headers are cached. */
const MAX_CACHED_HEADER_SETS = 400;
/** Maximum number of headers whose includes are cached: Linux has 25,000. About 100 bytes each. */
const MAX_CACHED_INCLUDES = 40_000;

/** A file, and what it includes. */
export interface Including {
  readonly path: string;
  readonly language: string;
  /** As the includes name them. */
  readonly modules: readonly string[];
}

/** Returns what a file includes. */
export function includingFile({
  path,
  language,
  imports,
}: Pick<ScopedFile, "path" | "language" | "imports">): Including {
  const modules = imports.flatMap(({ isWildcard, module }) => (isWildcard ? module : []));
  return { path, language, modules };
}

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
  /** The tables of a search, for the next one. */
  #idle: VisitedNumbers | undefined;

  constructor(sources: HeaderSources) {
    this.#sources = sources;
  }

  /** Returns the paths of the headers of a file, of which there may be more than 400. */
  of(file: Including): Promise<HeaderSet> {
    return this.#sets.get(file.path, () => this.#headersOf(file));
  }

  async #headersOf(start: Including): Promise<HeaderSet> {
    const own = this.#paths.numberOf(start.path);
    const visited = this.#idle ?? new VisitedNumbers();
    // Another search may begin while this one waits.
    this.#idle = undefined;
    visited.addAll([own, ...this.#includesOf(start)]);
    for (let at = 1; at < visited.size && visited.size <= MAX_HEADERS; at += 1) {
      const number = visited.at(at);
      // oxlint-disable-next-line no-await-in-loop -- breadth first
      visited.addAll(this.#includes.get(number) ?? (await this.#readIncludes(number)));
    }
    const headers = this.#paths.setOf(visited.finish().subarray(1));
    this.#idle = visited;
    return headers;
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
    for (const module of file.modules) {
      const path = this.#sources.target(file, module);
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
  setOf(numbers: Uint32Array): HeaderSet {
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

/**
 * Distinct numbers in the order in which they are added. Its tables are used again: sets and lists of the headers of
 * thousands of files were a third of what a query about Linux allocates.
 */
class VisitedNumbers {
  #inOrder = new Uint32Array(1024);
  /** 1 for each of them. */
  #marks = new Uint8Array(1024);
  size = 0;

  at(index: number): number {
    return this.#inOrder[index] ?? 0;
  }

  addAll(numbers: readonly number[]): void {
    for (const number of numbers) {
      if (number >= this.#marks.length) this.#growMarks(number);
      if (this.#marks[number] === 1) continue;
      this.#marks[number] = 1;
      if (this.size === this.#inOrder.length) this.#growOrder();
      this.#inOrder[this.size++] = number;
    }
  }

  /** Returns a copy of the numbers, and forgets them. */
  finish(): Uint32Array {
    const numbers = this.#inOrder.slice(0, this.size);
    for (const number of numbers) this.#marks[number] = 0;
    this.size = 0;
    return numbers;
  }

  #growMarks(number: number): void {
    const marks = new Uint8Array(number * 2);
    marks.set(this.#marks);
    this.#marks = marks;
  }

  #growOrder(): void {
    const inOrder = new Uint32Array(this.size * 2);
    inOrder.set(this.#inOrder);
    this.#inOrder = inOrder;
  }
}
