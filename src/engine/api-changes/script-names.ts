// The public names of JavaScript and TypeScript packages: the exports of their entry points.

import type { ScopedFile } from "../../graph/entity.ts";
import { asString } from "../../graph/modules/config-text.ts";
import { plainKeys } from "../../graph/modules/javascript-exports.ts";
import { ScriptFiles } from "../../graph/modules/javascript-files.ts";
import { ScriptPackages } from "../../graph/modules/javascript-packages.ts";
import { isSecondary, PathSearch } from "../../graph/modules/path-search.ts";
import { folderOf } from "../../graph/modules/paths.ts";
import type { FileFacts } from "../../index/types.ts";
import type { ApiVersion } from "./api-version.ts";
import { ExportedNames } from "./exported-names.ts";
import type { AddName, NamesOptions } from "./public-definition.ts";

/** `export { a, b as c };`, without a module. */
const LISTED = /^[ \t]*export\s*(?:type\s*)?\{(?<names>[^{}]*)\}(?!\s*from\b)/gm;
const MAX_WILDCARDS = 16;

export class ScriptNames {
  readonly #version: ApiVersion;
  readonly #exported: ExportedNames;
  readonly #names = new Map<string, Promise<readonly string[]>>();

  constructor(version: ApiVersion, add: AddName) {
    this.#version = version;
    this.#exported = new ExportedNames(version, add);
  }

  /** Without a package of its own, a module is what others import by its path. */
  async addAll(files: readonly FileFacts[], { signal }: NamesOptions): Promise<void> {
    const entries = await this.#entries(files);
    for (const [as, path] of entries) {
      signal.throwIfAborted();
      // oxlint-disable-next-line no-await-in-loop -- one module after the other
      for (const name of await this.#namesOf(path)) {
        const one = { name, as: `${as}.${name}` };
        // oxlint-disable-next-line no-await-in-loop -- as above
        await this.#exported.add(path, one, (inner) => this.#namesOf(inner));
      }
    }
  }

  /** Names of modules with their files. */
  async #entries(files: readonly FileFacts[]): Promise<readonly (readonly [string, string])[]> {
    const tree = await this.#version.tree();
    const project = { tree, read: this.#version.parts.readFile };
    const packages = new ScriptPackages(project, new ScriptFiles(new PathSearch(tree)));
    const paths = new Set(files.map(({ path }) => path));
    const found: (readonly [string, string])[] = [];
    const folders = new Set<string>();
    for (const manifest of tree.named("package.json")) {
      const folder = folderOf(manifest);
      const contents = packages.manifestIn(folder);
      const name = asString(contents?.["name"]);
      if (contents === undefined || name === undefined || isSecondary("", manifest)) continue;
      for (const key of plainKeys(contents["exports"])) {
        const [file] = packages.entry(folder, key, "typed").filter((path) => paths.has(path));
        if (file === undefined) continue;
        folders.add(folder);
        found.push([`${name}${key.slice(1)}`, file]);
      }
    }
    const isInside = (path: string): boolean =>
      [...folders].some((folder) => folder === "" || path.startsWith(`${folder}/`));
    const others = files.filter(({ path }) => !isInside(path));
    return [...found, ...others.map(({ path }) => [path, path] as const)];
  }

  #namesOf(path: string): Promise<readonly string[]> {
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    const names = this.#readNames(path, 0);
    this.#names.set(path, names);
    return names;
  }

  async #readNames(path: string, depth: number): Promise<readonly string[]> {
    const file = await this.#version.scope(path);
    if (file === undefined) return [];
    const names = new Set(await this.#listedIn(path));
    for (const name of await this.#passedOn(file, depth)) names.add(name);
    // `export { a as b }` does not export `a`.
    const renamed = new Set(
      file.imports
        .filter(({ module, isReexport }) => isReexport && module === "")
        .flatMap(({ bindings }) => bindings.map(({ name }) => name)),
    );
    const text = await this.#version.text(path);
    for (const { name, qualifiedName, access } of file.symbols) {
      if (access !== "exported" || name !== qualifiedName) continue;
      if (!renamed.has(name) || isExportedItself(text, name)) names.add(name);
    }
    return [...names].filter((name) => /^[\w$]+$/.test(name));
  }

  /** The names of other modules that a module exports again. */
  async #passedOn(file: ScopedFile, depth: number): Promise<readonly string[]> {
    const names: string[] = [];
    for (const { module, bindings, isReexport, isWildcard } of file.imports) {
      if (!isReexport) continue;
      for (const { name, local } of bindings)
        if (local !== "module.exports") names.push(local === "" ? name : local);
      const [target] = isWildcard ? this.#version.targetOf(file, module) : [];
      if (target === undefined || depth >= MAX_WILDCARDS) continue;
      // oxlint-disable-next-line no-await-in-loop -- one module after the other
      const inner = await this.#readNames(target, depth + 1);
      names.push(...inner.filter((name) => name !== "default"));
    }
    return names;
  }

  /** The names that `export {…}` lists, those of imports included. */
  async #listedIn(path: string): Promise<readonly string[]> {
    const text = await this.#version.text(path);
    return [...text.matchAll(LISTED)].flatMap(({ groups }) =>
      (groups?.["names"] ?? "")
        .replace(/\/\*[^]*?\*\/|\/\/.*/g, "")
        .split(",")
        .map((one) =>
          one
            .trim()
            .replace(/^type\s+/, "")
            .replace(/^.*\sas\s+/s, ""),
        )
        .filter((one) => one !== ""),
    );
  }
}

function isExportedItself(text: string, name: string): boolean {
  const quoted = name.replace(/\$/g, "\\$&");
  return new RegExp(
    `\\bexport\\s+(?:default\\s+)?(?:declare\\s+|abstract\\s+|async\\s+)*\\w+\\*?\\s+${quoted}(?![\\w$])`,
  ).test(text);
}
