// The crates of the project: https://doc.rust-lang.org/cargo/reference/cargo-targets.html.

import { readToml, tomlField, tomlString, type TomlTable } from "./config-text.ts";
import type { ProjectFiles } from "./module-target.ts";
import type { PathSearch } from "./path-search.ts";
import { folderOf, foldersAround, inFolder, isWithin, joinPath, baseName } from "./paths.ts";

/** A package of Cargo. */
export interface RustPackage {
  readonly folder: string;
  /** Its name in paths, with `_` for `-`. */
  readonly name: string;
  /** Root file of the library; undefined if there is none. */
  readonly library: string | undefined;
  /** Root files of all crates of the package, the library first. */
  readonly roots: readonly string[];
  /** Dependencies given by path: name in paths -> folder of the package. */
  readonly dependencies: ReadonlyMap<string, string>;
  /** True for editions before 2018, in which `use` paths begin at the crate root. */
  readonly isOf2015: boolean;
}

const TARGET_FOLDERS = ["src/bin", "tests", "examples", "benches"];

/** Reads and caches the crates of the project. */
export class RustCrates {
  readonly #project: ProjectFiles;
  readonly #search: PathSearch;
  readonly #roots = new Map<string, string | undefined>();
  #packages: ReadonlyMap<string, RustPackage> | undefined;
  #byName: ReadonlyMap<string, readonly RustPackage[]> | undefined;

  constructor(project: ProjectFiles, search: PathSearch) {
    this.#project = project;
    this.#search = search;
  }

  packageAround(path: string): RustPackage | undefined {
    const packages = this.#all();
    for (const folder of foldersAround(folderOf(path))) {
      const found = packages.get(folder);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  packageIn(folder: string): RustPackage | undefined {
    return this.#all().get(folder);
  }

  named(name: string): readonly RustPackage[] {
    if (this.#byName === undefined) {
      const byName = new Map<string, RustPackage[]>();
      for (const crate of this.#all().values()) {
        byName.set(crate.name, [...(byName.get(crate.name) ?? []), crate]);
      }
      this.#byName = byName;
    }
    return this.#byName.get(name) ?? [];
  }

  /** Returns the root file of the crate that contains a file, the most likely one if there are several. */
  rootOf(path: string): string | undefined {
    if (!this.#roots.has(path)) this.#roots.set(path, this.#findRoot(path));
    return this.#roots.get(path);
  }

  #findRoot(path: string): string | undefined {
    const roots = this.packageAround(path)?.roots ?? this.#looseRoots(path);
    if (roots.includes(path)) return path;
    let best: string | undefined;
    for (const root of roots) {
      const isInner = best === undefined || folderOf(root).length > folderOf(best).length;
      if (isInner && isWithin(path, folderOf(root))) best = root;
    }
    return best;
  }

  /** Returns the root file in projects without a Cargo.toml. */
  #looseRoots(path: string): readonly string[] {
    const places = foldersAround(folderOf(path)).flatMap((folder) =>
      ["lib.rs", "main.rs", "mod.rs"].map((name) => inFolder(folder, name)),
    );
    return places.filter((place) => this.#search.tree.has(place)).slice(0, 1);
  }

  #all(): ReadonlyMap<string, RustPackage> {
    this.#packages ??= this.#readAll();
    return this.#packages;
  }

  #readAll(): ReadonlyMap<string, RustPackage> {
    const packages = new Map<string, RustPackage>();
    const manifests = this.#project.tree
      .named("Cargo.toml")
      .map((path) => ({ folder: folderOf(path), tables: readToml(this.#project.read(path)) }));
    const shared = manifests.flatMap(({ folder, tables }) => [
      ...dependenciesOf(folder, tables, /^workspace\.dependencies$/),
    ]);
    for (const { folder, tables } of manifests) {
      const about = tables.find((table) => table.name === "package")?.values;
      const name = tomlString(about?.get("name"));
      if (name === undefined) continue;
      const edition = about?.get("edition") ?? about?.get("edition.workspace");
      const own = dependenciesOf(folder, tables, /(?:^|\.)(?:dev-|build-)?dependencies$/);
      packages.set(folder, {
        folder,
        name: inPaths(nameOfLibrary(tables) ?? name),
        ...this.#rootsIn(folder, tables),
        dependencies: new Map([...shared, ...own]),
        isOf2015: edition === undefined || tomlString(edition) === "2015",
      });
    }
    return packages;
  }

  #rootsIn(folder: string, tables: readonly TomlTable[]): Pick<RustPackage, "library" | "roots"> {
    const { tree } = this.#search;
    const written = (kind: string): readonly string[] =>
      tables
        .filter(({ name }) => name === kind)
        .map(({ values }) => joinPath(folder, tomlString(values.get("path")) ?? "."))
        .filter((path) => path !== undefined && tree.has(path))
        .map((path) => path ?? "");
    const library = [...written("lib"), inFolder(folder, "src/lib.rs")].find((path) =>
      tree.has(path),
    );
    const roots = [
      inFolder(folder, "src/main.rs"),
      inFolder(folder, "build.rs"),
      ...["bin", "test", "example", "bench"].flatMap(written),
      ...TARGET_FOLDERS.flatMap((name) => this.#targetsIn(inFolder(folder, name))),
    ].filter((path) => tree.has(path));
    return { library, roots: library === undefined ? roots : [library, ...roots] };
  }

  /** Returns tests/a.rs and tests/b/main.rs. */
  #targetsIn(folder: string): readonly string[] {
    const files = this.#search.filesIn(folder, (name) => name.endsWith(".rs"));
    const mains = this.#search.tree.foldersIn(folder).map((name) => `${folder}/${name}/main.rs`);
    return [...files, ...mains];
  }
}

function nameOfLibrary(tables: readonly TomlTable[]): string | undefined {
  return tomlString(tables.find(({ name }) => name === "lib")?.values.get("name"));
}

/** Returns the folders of dependencies with a `path`, by name. */
function dependenciesOf(
  folder: string,
  tables: readonly TomlTable[],
  section: RegExp,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name, values } of tables) {
    const isOwn = section.test(name.slice(0, name.lastIndexOf(".")));
    const entries: readonly (readonly [string, string | undefined])[] = section.test(name)
      ? [...values].map(([key, value]) => [key, tomlField(value, "path")])
      : isOwn
        ? [[fieldAfterDot(name), tomlString(values.get("path"))]]
        : [];
    for (const [key, path] of entries) {
      const place = path === undefined ? undefined : joinPath(folder, path);
      if (place !== undefined) found.set(inPaths(key), place);
    }
  }
  return found;
}

function fieldAfterDot(name: string): string {
  return baseName(name.replaceAll(".", "/"));
}

function inPaths(name: string): string {
  return name.replaceAll("-", "_");
}
