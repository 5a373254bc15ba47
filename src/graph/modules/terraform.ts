// Modules of Terraform: the files of one folder see each other's names, and no others.
import {
  EXTERNAL_MODULE,
  packageTarget,
  UNKNOWN_MODULE,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
} from "./module-target.ts";
import type { PathSearch } from "./path-search.ts";
import { baseName, folderOf, inFolder, joinPath } from "./paths.ts";

const SOURCE = /\.tf$/;
const OF_MODULE = /\.tf(?:vars)?$/;
/** Other sources than folders are registries, repositories and archives. */
const FOLDER = /^\.{1,2}(?:\/|$)/;

/** Resolves the sources of modules. */
export class TerraformModules implements ModuleResolution {
  readonly #search: PathSearch;

  constructor(search: PathSearch) {
    this.#search = search;
  }

  resolve({ path }: Importer, module: string): ModuleTarget {
    if (!FOLDER.test(module)) return EXTERNAL_MODULE;
    const folder = joinPath(folderOf(path), module.replace(/\/+$/, ""));
    if (folder === undefined) return UNKNOWN_MODULE;
    const files = this.#search.filesIn(folder, (name) => SOURCE.test(name));
    return files.length === 0 ? UNKNOWN_MODULE : packageTarget(files);
  }

  lastPartsOf(path: string): readonly string[] {
    return [baseName(folderOf(path)), "."].filter((part) => part !== "");
  }

  siblingsOf({ path }: Importer): readonly string[] {
    if (!OF_MODULE.test(path)) return [];
    const folder = folderOf(path);
    const files = this.#search.filesIn(folder, (name) => SOURCE.test(name));
    return files.filter((file) => file !== inFolder(folder, baseName(path)));
  }
}
