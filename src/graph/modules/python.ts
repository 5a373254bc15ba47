// Modules of Python: https://docs.python.org/3/reference/import.html, with the folders that are likely to be
// on the path of a project.

import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
} from "./module-target.ts";
import { isSecondary, nearestPath, type PathSearch } from "./path-search.ts";
import {
  folderOf,
  foldersAround,
  inFolder,
  isWithin,
  joinPath,
  baseName,
  stemOf,
} from "./paths.ts";
import { PYTHON_STANDARD } from "./python-names.ts";

const ENDINGS = [".py", ".pyi", ".pyx", ".pxd"];
const INITS = ENDINGS.map((ending) => `__init__${ending}`);

/** As much of a module's path as files were found for. */
interface Found {
  readonly files: readonly string[];
  /** How many parts of the path the files stand for. */
  readonly depth: number;
  /** Whether the whole path is at least a folder, as a package without `__init__.py` is. */
  readonly isFolder: boolean;
}

export class PythonModules implements ModuleResolution {
  readonly #search: PathSearch;
  readonly #roots = new Map<string, readonly string[]>();

  constructor(search: PathSearch) {
    this.#search = search;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    const folder = folderOf(importer.path);
    if (/[/:]/.test(module)) return this.#ofBuildLabel(folder, module);
    const dots = /^\.*/.exec(module)?.[0].length ?? 0;
    const parts = module.slice(dots).split(".").filter(Boolean);
    if (dots === 0) return this.#absolute(importer, parts);
    const base = joinPath(folder, "../".repeat(dots - 1));
    const found = base === undefined ? undefined : this.#find(base, parts);
    if (found === undefined || found.files.length === 0) return UNKNOWN_MODULE;
    return fileTarget(found.files, parts.slice(found.depth));
  }

  #absolute(importer: Importer, parts: readonly string[]): ModuleTarget {
    const [top = ""] = parts;
    let best: Found | undefined;
    for (const root of this.#rootsOf(importer, top)) {
      const found = this.#find(root, parts);
      if (found.depth > (best?.depth ?? 0)) best = found;
      else if (best === undefined && found.isFolder) best = found;
    }
    if (best === undefined) return EXTERNAL_MODULE;
    if (best.files.length === 0 && PYTHON_STANDARD.has(top)) return EXTERNAL_MODULE;
    return best.files.length > 0 ? fileTarget(best.files, parts.slice(best.depth)) : UNKNOWN_MODULE;
  }

  /** What a path of modules leads to from a folder, as far as it does. */
  #find(base: string, parts: readonly string[]): Found {
    for (let depth = parts.length; depth > 0; depth--) {
      const path = inFolder(base, parts.slice(0, depth).join("/"));
      const files = this.#moduleAt(path);
      if (files.length > 0) return { files, depth, isFolder: false };
      if (depth === parts.length && this.#isNamespace(path)) {
        return { files: [], depth: 0, isFolder: true };
      }
    }
    if (parts.length > 0) return { files: [], depth: 0, isFolder: false };
    return { files: this.#initsOf(base), depth: 0, isFolder: true };
  }

  /** Whether a folder without `__init__.py` is a package all the same: when it holds modules or packages. */
  #isNamespace(path: string): boolean {
    const { tree } = this.#search;
    return (
      tree.filesIn(path).some((name) => name.endsWith(".py")) ||
      tree.foldersIn(path).some((name) => this.#initsOf(`${path}/${name}`).length > 0)
    );
  }

  /** The package of a folder or the module of a file, in the order in which Python looks for them. */
  #moduleAt(path: string): readonly string[] {
    const inits = this.#initsOf(path);
    if (inits.length > 0) return inits;
    return ENDINGS.map((ending) => `${path}${ending}`).filter((file) =>
      this.#search.tree.has(file),
    );
  }

  #initsOf(folder: string): readonly string[] {
    const paths = INITS.map((init) => inFolder(folder, init));
    return paths.filter((path) => this.#search.tree.has(path));
  }

  /** Folders that may be on the path of Python and hold something called `top`, the likeliest first. */
  #rootsOf(importer: Importer, top: string): readonly string[] {
    const folder = folderOf(importer.path);
    const key = `${folder}:${top}`;
    const known = this.#roots.get(key);
    if (known !== undefined) return known;
    const roots = this.#findRoots(folder, importer.path, top);
    this.#roots.set(key, roots);
    return roots;
  }

  #findRoots(folder: string, importer: string, top: string): readonly string[] {
    const own = foldersAround(folder).find((around) => this.#initsOf(around).length === 0) ?? "";
    const holders = this.#holders(top);
    const likely = holders.includes(own) ? [own] : [];
    if (PYTHON_STANDARD.has(top)) return likely;
    const others = holders.filter(
      (holder) => holder !== own && this.#mayBeRoot(holder, folder, importer),
    );
    while (others.length > 0) {
      const best = nearestPath(
        importer,
        others.map((root) => inFolder(root, top)),
      );
      const root = best === undefined ? "" : folderOf(best);
      likely.push(root);
      others.splice(others.indexOf(root), 1);
    }
    // A script finds what lies beside it, even in the folder of a package.
    return holders.includes(folder) && !likely.includes(folder) ? [...likely, folder] : likely;
  }

  /** The folders in which there is a module, a package or at least a folder of that name. */
  #holders(top: string): readonly string[] {
    const files = ENDINGS.flatMap((ending) => this.#search.tree.named(`${top}${ending}`));
    const all = [...files, ...this.#search.foldersNamed(top)];
    return [...new Set(all.map(folderOf))];
  }

  #mayBeRoot(root: string, folder: string, importer: string): boolean {
    if (foldersAround(root).some((around) => this.#initsOf(around).length > 0)) return false;
    if (isWithin(folder, root)) return true;
    return !isSecondary(importer, inFolder(root, "file"));
  }

  /** `load("//a/b:c.bzl")` of Bazel. */
  #ofBuildLabel(folder: string, label: string): ModuleTarget {
    if (label.startsWith("@")) return EXTERNAL_MODULE;
    const path = label.replace(/^\/\//, "").replace(":", "/").replace(/^\//, "");
    const place = label.startsWith("//") ? path : joinPath(folder, path);
    return place !== undefined && this.#search.tree.has(place)
      ? fileTarget([place])
      : UNKNOWN_MODULE;
  }

  lastPartsOf(path: string): readonly string[] {
    const stem = stemOf(path);
    return stem === "__init__" ? [baseName(folderOf(path)), "."] : [stem];
  }

  siblingsOf(): readonly string[] {
    return [];
  }
}
