// Finds the files that an import refers to, from the paths of the project and a few config files
// (tsconfig.json, go.mod, Cargo.toml, composer.json, …).

import { ANY_PATH, BY_PATH, PathModules } from "./by-path.ts";
import { CSharpModules } from "./csharp.ts";
import { DartModules } from "./dart.ts";
import { DOTTED, DottedModules } from "./dotted.ts";
import { GoModules } from "./go.ts";
import { IncludeModules } from "./includes.ts";
import { JavaScriptModules } from "./javascript.ts";
import { JvmModules } from "./jvm.ts";
import type {
  Importer,
  ModuleResolution,
  ModuleTarget,
  PackageImport,
  ProjectFiles,
} from "./module-target.ts";
import { PathSearch } from "./path-search.ts";
import { folderOf } from "./paths.ts";
import { PhpModules } from "./php.ts";
import { PythonModules } from "./python.ts";
import { RubyModules } from "./ruby.ts";
import { RustModules } from "./rust.ts";
import { SwiftModules } from "./swift.ts";
import { TerraformModules } from "./terraform.ts";
import { ZigModules } from "./zig.ts";

export type { Importer, ModuleTarget, ProjectFiles } from "./module-target.ts";

/** Languages that share import rules. */
const FAMILIES: Readonly<Record<string, string>> = {
  typescript: "javascript",
  tsx: "javascript",
  vue: "javascript",
  svelte: "javascript",
  kotlin: "java",
  scala: "java",
  groovy: "java",
  cpp: "c",
  objc: "c",
  shader: "c",
  notebook: "python",
  vb: "csharp",
};

/** Caches results for one state of the file tree. Another state needs another resolver. */
export class ModuleResolver {
  readonly #project: ProjectFiles;
  readonly #search: PathSearch;
  readonly #rules = new Map<string, ModuleResolution>();
  /** Language and scope -> module -> target. */
  readonly #targets = new Map<string, Map<string, ModuleTarget>>();
  /** The last importer and the targets of its scope: the imports of a file are resolved one after the other. */
  #last: { readonly path: string; readonly targets: Map<string, ModuleTarget> } | undefined;

  constructor(project: ProjectFiles) {
    this.#project = project;
    this.#search = new PathSearch(project.tree);
  }

  /** Returns the target of an import. `module` is the name as written in the import. */
  resolve(importer: Importer, module: string): ModuleTarget {
    const targets = this.#targetsOf(importer);
    const known = targets.get(module);
    if (known !== undefined) return known;
    const target = this.#rulesOf(importer.language).resolve(importer, module.trim());
    targets.set(module, target);
    return target;
  }

  #targetsOf(importer: Importer): Map<string, ModuleTarget> {
    const { path, language } = importer;
    if (this.#last?.path === path) return this.#last.targets;
    const scope = this.#rulesOf(language).scopeOf?.(importer) ?? folderOf(path);
    const key = `${language}\0${scope}`;
    const targets = this.#targets.get(key) ?? new Map<string, ModuleTarget>();
    this.#targets.set(key, targets);
    this.#last = { path, targets };
    return targets;
  }

  /**
   * Returns candidates for the last parts of module names under which other files may import a file: "log"
   * for src/base/log.ts, "base" for src/base/index.ts, a folder for a Go package, "." if a module can be
   * imported without a name (`..`). They are used to look up importers and may be too many; `resolve`
   * decides.
   */
  lastPartsOf(path: string, language: string): readonly string[] {
    const parts = this.#rulesOf(language)
      .lastPartsOf(path)
      .map((name) => (name === "." ? name : name.slice(name.lastIndexOf(".") + 1)));
    return [...new Set(parts)].filter((part) => part !== "");
  }

  /** Returns what else the files have that import a file by the last part of its package. */
  packageImportOf(path: string, language: string): PackageImport | undefined {
    return this.#rulesOf(language).packageImportOf?.(path);
  }

  /**
   * Returns the files whose names a file sees without an import, without the file itself: files of the same
   * Go package, of the same package or namespace in Java, Kotlin, Scala, C# and PHP, of the same Swift
   * target.
   */
  sharedImportsOf(importer: Importer): readonly string[] {
    return this.#rulesOf(importer.language).sharedImportsOf?.(importer) ?? [];
  }

  siblingsOf(importer: Importer): readonly string[] {
    return this.#rulesOf(importer.language).siblingsOf(importer);
  }

  #rulesOf(language: string): ModuleResolution {
    const family = FAMILIES[language] ?? language;
    const known = this.#rules.get(family);
    if (known !== undefined) return known;
    const rules = this.#makeRules(family);
    this.#rules.set(family, rules);
    return rules;
  }

  #makeRules(family: string): ModuleResolution {
    const make: Readonly<Record<string, () => ModuleResolution>> = {
      javascript: () => new JavaScriptModules(this.#project, this.#search),
      python: () => new PythonModules(this.#search),
      go: () => new GoModules(this.#project, this.#search),
      java: () => new JvmModules(this.#search),
      rust: () => new RustModules(this.#project, this.#search),
      c: () => new IncludeModules(this.#search),
      php: () => new PhpModules(this.#project, this.#search),
      ruby: () => new RubyModules(this.#search),
      csharp: () => new CSharpModules(this.#search),
      swift: () => new SwiftModules(this.#project, this.#search),
      terraform: () => new TerraformModules(this.#search),
      dart: () => new DartModules(this.#project, this.#search),
      zig: () => new ZigModules(this.#project, this.#search),
    };
    const known = make[family];
    if (known !== undefined) return known();
    const dotted = DOTTED[family];
    if (dotted !== undefined) return new DottedModules(this.#search, dotted);
    return new PathModules(this.#search, BY_PATH[family] ?? ANY_PATH);
  }
}
