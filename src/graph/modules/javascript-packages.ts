// The packages of the project: those with a package.json.

import { readConfig, asString, asStrings, type ConfigObject } from "./config-text.ts";
import { importedTargetsOf, mainsOf, plainKeys, targetsOf } from "./javascript-exports.ts";
import { type ScriptFiles, type ScriptKind } from "./javascript-files.ts";
import type { ProjectFiles } from "./module-target.ts";
import { sortByDistance, isSecondary } from "./path-search.ts";
import { pathBelow, folderOf, foldersAround, inFolder, joinPath } from "./paths.ts";

/** Folders of build output, which sometimes contain the source. */
const BUILT =
  /^(?:dist|lib|libs|build|built|out|output|es|esm|esm5|es6|es2015|cjs|umd|types|typings|dts|dist-\w+|_?commonjs|bundles?)$/;
/** Declaration files, used only if there is no source. */
const DECLARATION = /\.d\.[mc]?ts$/;
const BUILT_EXTENSION = /(?:\.d)?\.[mc]?[jt]sx?$/;
const BUILT_MARKS =
  /(?:[.-](?:min|cjs|esm|umd|mjs|prod|dev|browser|node|development|production|module|common|es|bundle|global))+$/;

/** Reads and caches the packages of the project. */
export class ScriptPackages {
  readonly #project: ProjectFiles;
  readonly #files: ScriptFiles;
  readonly #manifests = new Map<string, ConfigObject | undefined>();
  readonly #entries = new Map<string, ReadonlyMap<string, readonly string[]>>();
  #byName: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(project: ProjectFiles, files: ScriptFiles) {
    this.#project = project;
    this.#files = files;
  }

  /** Returns the folder of the package that contains a folder, or undefined. */
  folderAround(folder: string): string | undefined {
    return foldersAround(folder).find((around) => this.manifestIn(around) !== undefined);
  }

  /** Returns the package.json of a folder, or undefined if there is none. */
  manifestIn(folder: string): ConfigObject | undefined {
    if (this.#manifests.has(folder)) return this.#manifests.get(folder);
    const path = inFolder(folder, "package.json");
    const manifest = this.#project.tree.has(path)
      ? readConfig(this.#project.read(path))
      : undefined;
    this.#manifests.set(folder, manifest);
    return manifest;
  }

  /** Returns the folders of packages with that name, nearest first, without fixtures. */
  named(name: string, importer: string): readonly string[] {
    this.#byName ??= this.#readNames();
    const manifests = (this.#byName.get(name) ?? [])
      .map((folder) => inFolder(folder, "package.json"))
      .filter((path) => !isSecondary(importer, path));
    // Test folders contain packages that replace real ones, so they come last.
    return sortByDistance(importer, manifests)
      .toSorted((a, b) => Number(isSecondary("", a)) - Number(isSecondary("", b)))
      .map(folderOf);
  }

  /** Returns the files of "." or "./a/b" of a package. */
  entry(folder: string, key: string, kind: ScriptKind): readonly string[] {
    const manifest = this.manifestIn(folder) ?? {};
    const exported = targetsOf(manifest["exports"], key);
    if (kind === "declared") return this.#declared(folder, manifest, key);
    const targets = key === "." ? [...exported, ...mainsOf(manifest)] : exported;
    return this.#first(folder, targets, kind) ?? this.#usualSource(folder, key, kind);
  }

  /** Returns the declaration file that TypeScript finds for an import of an installed package, or else its script. */
  #declared(folder: string, manifest: ConfigObject, key: string): readonly string[] {
    const typed = key === "." ? [manifest["types"], manifest["typings"]] : [];
    const targets = [
      ...importedTargetsOf(manifest["exports"], key),
      ...(manifest["exports"] === undefined ? typed.flatMap(asStrings) : []),
      ...(key === "." ? mainsOf(manifest) : []),
      ...targetsOf(manifest["exports"], key),
    ];
    const files = targets
      .map((target) => joinPath(folder, target))
      .flatMap((path) => (path === undefined ? [] : this.#files.at(path, "declared").slice(0, 1)));
    const found = files.find((file) => DECLARATION.test(file)) ?? files[0];
    return found === undefined ? this.#usualSource(folder, key, "declared") : [found];
  }

  /** Returns the files of the first package.json target that has any. */
  #first(
    folder: string,
    targets: readonly string[],
    kind: ScriptKind,
  ): readonly string[] | undefined {
    const paths = targets
      .map((target) => joinPath(folder, target))
      .filter((path) => path !== undefined);
    const ordered = [
      ...paths.filter((path) => !DECLARATION.test(path)),
      ...paths.filter((path) => DECLARATION.test(path)),
    ];
    const lookups = [
      (path: string) => this.#sourceOf(folder, path, kind),
      (path: string) => this.#files.at(path, kind),
    ];
    for (const lookup of lookups) {
      for (const path of ordered) {
        const files = lookup(path);
        if (files.length > 0) return files;
      }
    }
    return undefined;
  }

  /** Returns the files of a target such as "./x.js" of `imports`. */
  targetFiles(folder: string, targets: readonly string[], kind: ScriptKind): readonly string[] {
    return this.#first(folder, targets, kind) ?? [];
  }

  /** Returns the source of a file in a build output folder: src/a.ts for dist/esm/a.js. */
  #sourceOf(folder: string, path: string, kind: ScriptKind): readonly string[] {
    const parts = pathBelow(path, folder)
      .replace(BUILT_EXTENSION, "")
      .replace(BUILT_MARKS, "")
      .split("/");
    while (parts.length > 1 && BUILT.test(parts[0] ?? "")) {
      parts.shift();
      const name = parts.join("/");
      const usual = parts[0] === "src" ? [name] : [`src/${name}`, `source/${name}`, name];
      for (const relative of usual) {
        const files = this.#files.at(inFolder(folder, relative), kind);
        if (files.length > 0) return files;
      }
    }
    return [];
  }

  /** Looks in the usual places of sources, independent of the manifest. */
  #usualSource(folder: string, key: string, kind: ScriptKind): readonly string[] {
    const name = key === "." ? "index" : key.slice(2);
    const places = [name, `src/${name}`, `lib/${name}`, `source/${name}`];
    if (key === ".") places.push("src/main", "src/mod", "src/node/index", "mod", "main");
    for (const place of places) {
      const files = this.#files.at(inFolder(folder, place), kind);
      if (files.length > 0) return files;
    }
    return [];
  }

  /**
   * Returns the last parts of the names under which a package exports a file: ["server"] for the main file of
   * "@trpc/server".
   */
  exportedNames(path: string): readonly string[] {
    const folder = this.folderAround(folderOf(path));
    if (folder === undefined) return [];
    let entries = this.#entries.get(folder);
    if (entries === undefined) this.#entries.set(folder, (entries = this.#readEntries(folder)));
    return entries.get(path) ?? [];
  }

  #readEntries(folder: string): ReadonlyMap<string, readonly string[]> {
    const manifest = this.manifestIn(folder) ?? {};
    const name = asString(manifest["name"]);
    const entries = new Map<string, string[]>();
    if (name === undefined) return entries;
    for (const key of plainKeys(manifest["exports"])) {
      const last = `${name}${key.slice(1)}`.split("/").at(-1) ?? name;
      for (const file of this.entry(folder, key, "typed")) {
        entries.set(file, [...(entries.get(file) ?? []), last]);
      }
    }
    return entries;
  }

  #readNames(): ReadonlyMap<string, readonly string[]> {
    const byName = new Map<string, string[]>();
    for (const path of this.#project.tree.named("package.json")) {
      const name = asString(this.manifestIn(folderOf(path))?.["name"]);
      if (name === undefined || path.includes("node_modules/")) continue;
      byName.set(name, [...(byName.get(name) ?? []), folderOf(path)]);
    }
    return byName;
  }
}
