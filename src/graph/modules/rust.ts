// Rust modules: https://doc.rust-lang.org/reference/items/modules.html. `#[path]` is not supported.

import {
  EXTERNAL_MODULE,
  fileTarget,
  UNKNOWN_MODULE,
  packageTarget,
  type Importer,
  type ModuleResolution,
  type ModuleTarget,
  type ProjectFiles,
} from "./module-target.ts";
import { nearestPath, type PathSearch } from "./path-search.ts";
import { folderOf, inFolder, baseName, stemOf } from "./paths.ts";
import { RustCrates, type RustPackage } from "./rust-crates.ts";

/** A module with a file. `folder` contains the files of its submodules. */
interface Module {
  readonly file: string;
  readonly folder: string;
}

interface Found {
  readonly file: string;
  readonly rest: readonly string[];
}

const STANDARD = new Set(["std", "core", "alloc", "proc_macro", "test"]);

/** Resolves `use` declarations and modules of Rust. */
export class RustModules implements ModuleResolution {
  readonly #search: PathSearch;
  readonly #crates: RustCrates;

  constructor(project: ProjectFiles, search: PathSearch) {
    this.#search = search;
    this.#crates = new RustCrates(project, search);
  }

  scopeOf({ path }: Importer): string {
    return path;
  }

  resolve({ path }: Importer, module: string): ModuleTarget {
    const written = module.split("::").map((part) => part.trim().replace(/^r#/, ""));
    const isWildcard = written.at(-1) === "*";
    const parts = isWildcard ? written.slice(0, -1) : written;
    const [first = "", ...rest] = parts;
    const isOuter = first === "" && parts.length > 1;
    const found = isOuter ? this.#crate(path, rest) : this.#find(path, parts);
    if (found === undefined) return isExternal(first) || isOuter ? EXTERNAL_MODULE : UNKNOWN_MODULE;
    const [best, ...others] = found;
    if (best === undefined) return UNKNOWN_MODULE;
    const files = [...new Set([best.file, ...others.map(({ file }) => file)])];
    return isWildcard && best.rest.length === 0 && files.length === 1
      ? packageTarget(files)
      : fileTarget(files, best.rest);
  }

  /** Returns undefined if no file of the project can be the module. */
  #find(path: string, parts: readonly string[]): readonly Found[] | undefined {
    const [first = "", ...rest] = parts;
    if (first === "crate" || first === "$crate") return this.#fromRoots(path, rest);
    if (first === "self" || first === "super") return this.#fromSelf(path, parts);
    const local = this.#walk(this.#moduleOf(path), parts);
    if (local.rest.length < parts.length) return [local];
    const crate = this.#crate(path, parts);
    if (crate !== undefined) return crate;
    if (STANDARD.has(first)) return undefined;
    const isOf2015 = this.#crates.packageAround(path)?.isOf2015 === true;
    const fromRoot = isOf2015 ? this.#fromRoots(path, parts) : undefined;
    if (fromRoot?.some((found) => found.rest.length < parts.length) === true) return fromRoot;
    // `use Color::*` refers to a type of the file itself.
    return /^[A-Z]/.test(first) ? [{ file: path, rest: parts }] : undefined;
  }

  #fromRoots(path: string, parts: readonly string[]): readonly Found[] | undefined {
    const root = this.#crates.rootOf(path);
    if (root === undefined) return undefined;
    return [this.#walk({ file: root, folder: folderOf(root) }, parts)];
  }

  /**
   * `self` and `super` refer to the file's module and its parent. Inside of an inline module they refer to
   * that module and the file's module. Both are tried.
   */
  #fromSelf(path: string, parts: readonly string[]): readonly Found[] {
    const ups = parts.filter((part, at) => part === "super" && at <= parts.lastIndexOf("super"));
    const rest = parts.slice(ups.length + (parts[0] === "self" ? 1 : 0));
    const bases = [this.#moduleOf(path)];
    while (bases.length <= ups.length) {
      const [inner] = bases;
      const outer = inner === undefined ? undefined : this.#parentOf(inner);
      if (outer === undefined) break;
      bases.unshift(outer);
    }
    const found = bases.slice(0, 2).map((base) => this.#walk(base, rest));
    // A path that leads to another file takes precedence over a name in this file.
    return found.toSorted((a, b) => a.rest.length - b.rest.length);
  }

  /** Resolves a path in the crate that it begins with. */
  #crate(path: string, parts: readonly string[]): readonly Found[] | undefined {
    const [name = "", ...rest] = parts;
    const library = this.#crateNamed(path, name)?.library;
    if (library === undefined) return undefined;
    return [this.#walk({ file: library, folder: folderOf(library) }, rest)];
  }

  #crateNamed(path: string, name: string): RustPackage | undefined {
    const own = this.#crates.packageAround(path);
    if (own?.name === name) return own;
    const folder = own?.dependencies.get(name);
    const dependency = folder === undefined ? undefined : this.#crates.packageIn(folder);
    if (dependency !== undefined || STANDARD.has(name)) return dependency;
    const named = this.#crates.named(name).filter(({ library }) => library !== undefined);
    const best = nearestPath(
      path,
      named.map((crate) => inFolder(crate.folder, "Cargo.toml")),
    );
    return named.find((crate) => inFolder(crate.folder, "Cargo.toml") === best);
  }

  /** Follows submodules as long as they have files. */
  #walk(base: Module, parts: readonly string[]): Found {
    let at = base;
    let depth = 0;
    while (depth < parts.length) {
      const step = this.#childOf(at, parts.slice(depth));
      if (step === undefined) break;
      at = step.module;
      depth += step.length;
    }
    return { file: at.file, rest: parts.slice(depth) };
  }

  /** Returns the next module with a file. Inline modules have no file, but may have submodules with files. */
  #childOf(
    { folder }: Module,
    parts: readonly string[],
  ): { readonly module: Module; readonly length: number } | undefined {
    let inner = folder;
    for (const [index, part] of parts.entries()) {
      inner = inFolder(inner, part);
      const file = this.#search.firstFile([`${inner}.rs`, `${inner}/mod.rs`]);
      if (file !== undefined) return { module: { file, folder: inner }, length: index + 1 };
      if (!this.#search.hasFolder(inner)) return undefined;
    }
    return undefined;
  }

  #moduleOf(path: string): Module {
    const isRoot = this.#crates.rootOf(path) === path;
    const folder = folderOf(path);
    if (isRoot || baseName(path) === "mod.rs") return { file: path, folder };
    return { file: path, folder: inFolder(folder, stemOf(path)) };
  }

  #parentOf({ file, folder }: Module): Module | undefined {
    const root = this.#crates.rootOf(file);
    if (root === undefined || root === file) return undefined;
    const outer = folderOf(folder);
    if (outer === folderOf(root)) return { file: root, folder: outer };
    const parent = this.#search.firstFile([`${outer}.rs`, inFolder(outer, "mod.rs")]);
    // A parent without a file is an inline module of a module further out.
    return parent === undefined
      ? this.#parentOf({ file, folder: outer })
      : { file: parent, folder: outer };
  }

  lastPartsOf(path: string): readonly string[] {
    const stem = stemOf(path);
    const isRoot = this.#crates.rootOf(path) === path;
    const crate = this.#crates.packageAround(path);
    const names = [stem === "mod" ? baseName(folderOf(path)) : stem, "self"];
    if (isRoot) names.push("crate", ...(crate?.library === path ? [crate.name] : []));
    // Any file below, and inline modules of the file itself, may write `use super::*`.
    return [...names, "super"];
  }

  siblingsOf(): readonly string[] {
    return [];
  }
}

function isExternal(first: string): boolean {
  return !["crate", "$crate", "self", "super"].includes(first);
}
