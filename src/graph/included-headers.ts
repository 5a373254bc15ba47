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

/** Finds included headers. A header is read once, however many files include it. */
export class IncludedHeaders {
  readonly #sources: HeaderSources;
  readonly #sets = new BoundedCache<Promise<ReadonlySet<string>>>(MAX_CACHED_HEADER_SETS);
  readonly #includes = new BoundedCache<readonly string[]>(MAX_CACHED_INCLUDES);

  constructor(sources: HeaderSources) {
    this.#sources = sources;
  }

  /** Returns the paths of the headers of a file, closest first, of which there may be more than 400. */
  of(file: Including): Promise<ReadonlySet<string>> {
    return this.#sets.get(file.path, () => this.#headersOf(file));
  }

  async #headersOf(start: Including): Promise<ReadonlySet<string>> {
    const visited = new Set<string>([start.path, ...this.#includesOf(start)]);
    for (const path of visited) {
      if (visited.size > MAX_HEADERS) break;
      if (path === start.path) continue;
      // oxlint-disable-next-line no-await-in-loop -- breadth first
      const next = this.#includes.peek(path) ?? (await this.#readIncludes(path));
      for (const header of next) visited.add(header);
    }
    visited.delete(start.path);
    return visited;
  }

  async #readIncludes(path: string): Promise<readonly string[]> {
    const header = await this.#sources.header(path);
    return this.#includes.get(path, () => (header === undefined ? [] : this.#includesOf(header)));
  }

  #includesOf(file: Including): readonly string[] {
    const paths = file.imports.flatMap(({ isWildcard, module }) => {
      return isWildcard ? (this.#sources.target(file, module) ?? []) : [];
    });
    return [...new Set(paths)];
  }
}
