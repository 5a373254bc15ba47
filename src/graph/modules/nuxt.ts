// The files whose exports Nuxt makes visible without imports: https://nuxt.com/docs/guide/concepts/auto-imports

import type { FileTree } from "../../index/port.ts";
import { folderOf, foldersAround, inFolder, pathBelow } from "./paths.ts";

const CONFIGS = ["nuxt.config.ts", "nuxt.config.js", "nuxt.config.mjs"];
const SOURCES = ["", "app", "src"];
const FOLDERS = ["composables", "utils", "stores"];
const SHARED = ["shared/utils", "shared/types"];
const SERVER = ["server/utils"];
/** Folders in such a folder, which a setting can add. */
const MAX_DEPTH = 4;
const SCRIPT = /(?<!\.(?:d|test|spec))\.[mc]?[jt]sx?$/;

/** Finds these files. Results are cached for each project of Nuxt. */
export class NuxtImports {
  readonly #tree: FileTree;
  #roots: ReadonlySet<string> | undefined;
  readonly #files = new Map<string, readonly string[]>();

  constructor(tree: FileTree) {
    this.#tree = tree;
  }

  /** Returns the files whose exports a file sees; none outside of a project of Nuxt. */
  seenBy(path: string): readonly string[] {
    this.#roots ??= new Set(CONFIGS.flatMap((name) => this.#tree.named(name)).map(folderOf));
    if (this.#roots.size === 0) return [];
    const root = foldersAround(folderOf(path)).find((folder) => this.#roots?.has(folder) === true);
    if (root === undefined) return [];
    const isServer = pathBelow(path, root).startsWith("server/");
    const key = `${isServer} ${root}`;
    let files = this.#files.get(key);
    if (files === undefined) {
      files = isServer ? this.#below(root, [...SERVER, ...SHARED]) : this.#ofApp(root);
      this.#files.set(key, files);
    }
    return files;
  }

  #ofApp(root: string): readonly string[] {
    const layers = this.#tree
      .foldersIn(inFolder(root, "layers"))
      .map((name) => inFolder(inFolder(root, "layers"), name));
    return [root, ...layers].flatMap((place) => [
      ...SOURCES.flatMap((source) =>
        this.#below(source === "" ? place : inFolder(place, source), FOLDERS),
      ),
      ...this.#below(place, SHARED),
    ]);
  }

  #below(place: string, folders: readonly string[]): readonly string[] {
    return folders.flatMap((folder) => this.#scripts(inFolder(place, folder), MAX_DEPTH));
  }

  #scripts(folder: string, depth: number): readonly string[] {
    const own = this.#tree
      .filesIn(folder)
      .filter((name) => SCRIPT.test(name))
      .map((name) => inFolder(folder, name));
    const inner = depth === 0 ? [] : this.#tree.foldersIn(folder);
    return [...own, ...inner.flatMap((name) => this.#scripts(inFolder(folder, name), depth - 1))];
  }
}
