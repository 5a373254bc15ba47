import type { IndexReader, SymbolHit } from "../../index/port.ts";
import { ScipSymbolNames } from "../../scip/symbol-names.ts";
import type { Source } from "../../sources/registry/records.ts";

/** Files whose symbols are kept: uses of a file refer to few others. */
const MAX_FILES = 2000;

/** The SCIP symbols of definitions in any file of a source. */
export class FileSymbolNames {
  readonly #reader: Pick<IndexReader, "numberedSymbolsOf">;
  readonly #source: Pick<Source, "prefix" | "namespace">;
  readonly #files = new Map<string, Promise<ScipSymbolNames>>();

  constructor(
    reader: Pick<IndexReader, "numberedSymbolsOf">,
    source: Pick<Source, "prefix" | "namespace">,
  ) {
    this.#reader = reader;
    this.#source = source;
  }

  /** Returns the symbol of a definition; undefined for one that is not code. */
  async of(hit: SymbolHit): Promise<string | undefined> {
    const names = await this.#namesOf(hit.path);
    return names.of(hit);
  }

  #namesOf(path: string): Promise<ScipSymbolNames> {
    const known = this.#files.get(path);
    if (known !== undefined) return known;
    if (this.#files.size >= MAX_FILES) this.#files.clear();
    const names = this.#read(path);
    this.#files.set(path, names);
    return names;
  }

  async #read(path: string): Promise<ScipSymbolNames> {
    const { prefix, namespace } = this.#source;
    const shown = path.startsWith(prefix) ? path.slice(prefix.length) : path;
    return new ScipSymbolNames(shown, await this.#reader.numberedSymbolsOf(path), namespace);
  }
}
