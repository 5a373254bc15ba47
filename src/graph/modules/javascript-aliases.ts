// Path aliases of tsconfig.json and jsconfig.json: `paths` and `baseUrl`.

import {
  asConfigObject,
  readConfig,
  asString,
  asStrings,
  type ConfigObject,
} from "./config-text.ts";
import { bestPattern, starOf } from "./javascript-exports.ts";
import type { ScriptPackages } from "./javascript-packages.ts";
import type { ProjectFiles } from "./module-target.ts";
import { folderOf, foldersAround, inFolder, joinPath } from "./paths.ts";

interface Aliases {
  /** Pattern -> paths, which may contain a `*`. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  readonly baseUrl: string | undefined;
}

const NONE: Aliases = { paths: new Map(), baseUrl: undefined };
const NAMES = ["tsconfig.json", "jsconfig.json"];
/** A longer chain of `extends` is a cycle. */
const MAX_DEPTH = 12;

/** Reads and caches the aliases of the project. */
export class ScriptAliases {
  readonly #project: ProjectFiles;
  readonly #packages: ScriptPackages;
  readonly #configs = new Map<string, Aliases>();

  constructor(project: ProjectFiles, packages: ScriptPackages) {
    this.#project = project;
    this.#packages = packages;
  }

  /** Returns the paths that a module may refer to for a file in the folder: without extension, best first. */
  pathsOf(folder: string, module: string): readonly string[] {
    const found: string[] = [];
    for (const around of foldersAround(folder)) {
      for (const name of NAMES) {
        const config = inFolder(around, name);
        if (this.#project.tree.has(config)) found.push(...expand(this.#load(config, 0), module));
      }
    }
    return found;
  }

  /** Yields the aliases of all configs that have no `*`: `"paths": { "app": ["src/main.ts"] }`. */
  *plainNames(): Generator<{ readonly name: string; readonly place: string }> {
    for (const config of NAMES.flatMap((name) => this.#project.tree.named(name))) {
      for (const [name, places] of this.#load(config, 0).paths) {
        if (name.includes("*")) continue;
        for (const place of places) yield { name, place };
      }
    }
  }

  #load(path: string, depth: number): Aliases {
    const known = this.#configs.get(path);
    if (known !== undefined) return known;
    // A config that extends itself gets this empty entry.
    this.#configs.set(path, NONE);
    const aliases = depth > MAX_DEPTH ? NONE : this.#read(path, depth);
    this.#configs.set(path, aliases);
    return aliases;
  }

  #read(path: string, depth: number): Aliases {
    const folder = folderOf(path);
    const config = readConfig(this.#project.read(path));
    const options = asConfigObject(config["compilerOptions"]);
    const inherited = asStrings(config["extends"])
      .map((name) => this.#extended(path, name))
      .map((base) => (base === undefined ? NONE : this.#load(base, depth + 1)));
    const own = readOptions(folder, options);
    const baseUrl =
      own.baseUrl ?? inherited.findLast((base) => base.baseUrl !== undefined)?.baseUrl;
    const withPaths = [own, ...inherited.toReversed(), ...this.#referenced(folder, config, depth)];
    const paths = withPaths.find((aliases) => aliases.paths.size > 0)?.paths ?? NONE.paths;
    return { paths, baseUrl };
  }

  /**
   * Returns the aliases of referenced configs. Vite projects, for example, have their paths in
   * tsconfig.app.json.
   */
  #referenced(folder: string, config: ConfigObject, depth: number): readonly Aliases[] {
    const references = Array.isArray(config["references"]) ? config["references"] : [];
    return references.flatMap((reference) => {
      const name = asString(asConfigObject(reference)["path"]);
      const path = name?.endsWith(".json") === true ? joinPath(folder, name) : undefined;
      return path !== undefined && folderOf(path) === folder ? [this.#load(path, depth + 1)] : [];
    });
  }

  #extended(path: string, name: string): string | undefined {
    const base = this.#extendedBase(path, name);
    if (base === undefined) return undefined;
    const paths = [base, `${base}.json`, inFolder(base, "tsconfig.json")];
    return paths.find((candidate) => this.#project.tree.has(candidate));
  }

  #extendedBase(path: string, name: string): string | undefined {
    if (name.startsWith(".")) return joinPath(folderOf(path), name);
    const [owner, ...rest] = splitPackage(name);
    const folder = this.#packages.named(owner, path)[0];
    return folder === undefined ? undefined : joinPath(folder, rest.join("/"));
  }
}

/** Splits a module name into its package name and the remaining parts: "@a/b/c/d" -> ["@a/b", "c", "d"]. */
export function splitPackage(module: string): readonly [string, ...string[]] {
  const [first = "", second, ...rest] = module.split("/");
  if (second === undefined) return [first];
  return first.startsWith("@") ? [`${first}/${second}`, ...rest] : [first, second, ...rest];
}

function readOptions(folder: string, options: ConfigObject): Aliases {
  const written = asString(options["baseUrl"])?.replace("${configDir}", ".");
  const baseUrl = written === undefined ? undefined : joinPath(folder, written);
  const paths = new Map<string, readonly string[]>();
  for (const [pattern, targets] of Object.entries(asConfigObject(options["paths"]))) {
    const places = asStrings(targets)
      .map((target) => joinPath(baseUrl ?? folder, target.replace("${configDir}", ".")))
      .filter((place) => place !== undefined);
    paths.set(pattern, places);
  }
  return { paths, baseUrl };
}

function expand({ paths, baseUrl }: Aliases, module: string): readonly string[] {
  const exact = paths.get(module);
  const pattern = exact === undefined ? bestPattern([...paths.keys()], module) : undefined;
  const star = pattern === undefined ? "" : (starOf(pattern, module) ?? "");
  const targets = exact ?? (pattern === undefined ? [] : (paths.get(pattern) ?? []));
  const places = targets.map((target) => target.replace("*", star));
  return baseUrl === undefined ? places : [...places, inFolder(baseUrl, module)];
}
