// Python modules: https://docs.python.org/3/reference/import.html, with the folders that are likely on the
// module search path of the project.

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

/** The longest prefix of a module path that has files. */
interface Found {
  readonly files: readonly string[];
  /** The number of parts that the files cover. */
  readonly depth: number;
  /** Whether the whole path is at least a folder, such as a package without `__init__.py`. */
  readonly isFolder: boolean;
}

/** Resolves imports of Python, and `load` of Bazel. */
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

  /** Finds the longest prefix of a module path below a folder. */
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

  /**
   * Returns whether a folder without `__init__.py` is a namespace package: whether it contains modules or
   * packages.
   */
  #isNamespace(path: string): boolean {
    const { tree } = this.#search;
    return (
      tree.filesIn(path).some((name) => name.endsWith(".py")) ||
      tree.foldersIn(path).some((name) => this.#initsOf(`${path}/${name}`).length > 0)
    );
  }

  /** Returns the package of a folder or the module of a file, in Python's search order. */
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

  /** Returns the folders that may be on the module search path and contain `top`, most likely first. */
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
    const candidates = this.#foldersWith(top);
    const likely = candidates.includes(own) ? [own] : [];
    if (PYTHON_STANDARD.has(top)) return likely;
    const others = candidates.filter(
      (candidate) => candidate !== own && this.#mayBeRoot(candidate, folder, importer),
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
    // A script can import from its own folder, even inside of a package.
    return candidates.includes(folder) && !likely.includes(folder) ? [...likely, folder] : likely;
  }

  /** Returns the folders that contain a module, package or plain folder of that name. */
  #foldersWith(top: string): readonly string[] {
    const files = ENDINGS.flatMap((ending) => this.#search.tree.named(`${top}${ending}`));
    const all = [...files, ...this.#search.foldersNamed(top)];
    return [...new Set(all.map(folderOf))];
  }

  #mayBeRoot(root: string, folder: string, importer: string): boolean {
    if (foldersAround(root).some((around) => this.#initsOf(around).length > 0)) return false;
    if (isWithin(folder, root)) return true;
    return !isSecondary(importer, inFolder(root, "file"));
  }

  /** Resolves `load("//a/b:c.bzl")` of Bazel. */
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
