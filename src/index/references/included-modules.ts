// The modules that files import as a whole, such as the headers that they include, without names, lines and types,
// which take a hundred times as long to read.

import type { Import } from "../../parse/references/references.ts";
import { ByteReader, ByteWriter, NumberList } from "../coding/bytes.ts";
import { compressSection, decompressSection } from "../coding/compressed.ts";
import { DistinctTexts } from "../coding/distinct-texts.ts";
import { damagedSection } from "../damage.ts";

/** Returns the modules of imports that name nothing in them, in order. */
export function includedModules(imports: readonly Import[]): readonly string[] {
  return imports.flatMap(({ isWildcard, module }) => (isWildcard ? module : []));
}

/** Collects the modules of files. */
export class IncludedModulesWriter {
  readonly #modules = new DistinctTexts();
  readonly #files = new ByteWriter();

  /** Adds the modules of the next file. */
  add(modules: readonly string[]): void {
    this.#files.varint(modules.length);
    for (const module of modules) this.#files.varint(this.#modules.add(module));
  }

  /** Returns the bytes of the section. */
  finish(): Uint8Array {
    const to = new ByteWriter();
    const modules = this.#modules.texts;
    to.varint(modules.length);
    for (const module of modules) to.text(module);
    return compressSection([to.finish(), this.#files.finish()]);
  }
}

/** Reads what was written of some files. */
export class IncludedModules {
  readonly #texts: readonly string[];
  /** Of each file, the number of its first module in `#members`; then the end of the last. */
  readonly #firsts: Uint32Array;
  readonly #members: Uint32Array;

  /** Throws INDEX_UNAVAILABLE for bytes of another number of files. */
  constructor(section: Uint8Array, files: number) {
    const bytes = decompressSection("includes", section);
    const from = new ByteReader(bytes);
    this.#texts = Array.from({ length: countIn(from) }, () => from.text());
    this.#firsts = new Uint32Array(files + 1);
    const members = new NumberList();
    for (let file = 0; file < files; file += 1) {
      for (let left = countIn(from); left > 0; left -= 1) members.push(from.varint());
      this.#firsts[file + 1] = members.length;
    }
    if (from.position !== bytes.length) throw damagedSection("includes");
    this.#members = members.finish();
  }

  /** Returns the modules of a file. */
  of(file: number): readonly string[] {
    const numbers = this.#members.subarray(this.#firsts[file], this.#firsts[file + 1]);
    return Array.from(numbers, (number) => this.#texts[number] ?? "");
  }
}

/** Reads a number of items, each of which takes a byte or more. */
function countIn(from: ByteReader): number {
  const count = from.varint();
  if (count > from.left) throw damagedSection("includes");
  return count;
}
