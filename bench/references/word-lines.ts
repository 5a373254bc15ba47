// The lines that contain the name of a definition as a whole word: what `rg -w` finds in the files of its language.
import { readFileSync } from "node:fs";
import { extname, join } from "node:path";

import { trueEdges, type FoundEdge } from "./comparison.ts";
import type { Truth } from "./truth.ts";

/** Finds words in the files of a work tree. */
export class WordLines {
  readonly #root: string;
  readonly #paths: readonly string[];
  readonly #lines = new Map<string, readonly string[]>();

  constructor(root: string, paths: readonly string[]) {
    this.#root = root;
    this.#paths = paths;
  }

  /** Returns the lines as exact edges, without those of the definition and those that are not judged. */
  edgesOf(truth: Truth): readonly FoundEdge[] {
    const word = new RegExp(
      `(?<![\\w$])${truth.name.replaceAll("$", String.raw`\$`)}(?![\\w$])`,
      "u",
    );
    const extension = extname(truth.path);
    const known = new Set(trueEdges(truth).map(({ path, line }) => `${path}:${line}`));
    const left = new Set(
      truth.references
        .filter(({ isDefinition, isUnknown }) => isDefinition || isUnknown === true)
        .map(({ path, line }) => `${path}:${line}`),
    );
    return this.#paths
      .filter((path) => extname(path) === extension)
      .flatMap((path) =>
        this.#linesOf(path).flatMap((text, at): readonly FoundEdge[] => {
          const key = `${path}:${at + 1}`;
          if (!word.test(text) || (left.has(key) && !known.has(key))) return [];
          return [
            { path, line: at + 1, isExact: true, isImport: /^\s*(?:import|using)\s/.test(text) },
          ];
        }),
      );
  }

  #linesOf(path: string): readonly string[] {
    const known = this.#lines.get(path);
    if (known !== undefined) return known;
    const lines = readFileSync(join(this.#root, path), "utf8").split("\n");
    this.#lines.set(path, lines);
    return lines;
  }
}
