// The modules of a project and of the packages that it depends on, where other projects define these.

import type { ModuleResolver } from "../modules/module-resolver.ts";
import type { Importer, ModuleTarget } from "../modules/module-target.ts";
import type { ModuleRules } from "../graph-ports.ts";

/** Finds a module that the project does not have, with paths of the projects that have it. */
export type FindElsewhere = (importer: Importer, module: string) => ModuleTarget | undefined;

interface LinkedModulesParts {
  /** Of the project, with paths without the prefix. */
  readonly own: ModuleResolver;
  readonly prefix: string;
  readonly elsewhere: FindElsewhere;
  /** Returns the rules of the project that a file is in. */
  readonly rulesOf: (path: string) => ModuleRules | undefined;
}

/** Rules for paths that begin with the prefixes of projects. */
export class LinkedModules implements ModuleRules {
  readonly #parts: LinkedModulesParts;
  readonly #found = new Map<string, ModuleTarget | undefined>();

  constructor(parts: LinkedModulesParts) {
    this.#parts = parts;
  }

  resolve(importer: Importer, module: string): ModuleTarget {
    const { own, prefix, elsewhere } = this.#parts;
    const inside = this.#own(importer);
    const target = own.resolve(inside, module);
    const { files, isPackage, rest, isExternal } = target;
    if (files.length > 0)
      return { files: files.map((path) => prefix + path), isPackage, rest, isExternal };
    const key = `${importer.language}\0${module}`;
    if (!this.#found.has(key)) this.#found.set(key, elsewhere(inside, module));
    return this.#found.get(key) ?? target;
  }

  sharedImportsOf(importer: Importer): readonly string[] {
    const { own, prefix } = this.#parts;
    return own.sharedImportsOf(this.#own(importer)).map((path) => prefix + path);
  }

  siblingsOf(importer: Importer): readonly string[] {
    const { own, prefix } = this.#parts;
    return own.siblingsOf(this.#own(importer)).map((path) => prefix + path);
  }

  lastPartsOf(path: string, language: string): readonly string[] {
    const { own, prefix, rulesOf } = this.#parts;
    if (!path.startsWith(prefix)) return rulesOf(path)?.lastPartsOf(path, language) ?? [];
    return own.lastPartsOf(path.slice(prefix.length), language);
  }

  packageImportOf(path: string, language: string): ReturnType<ModuleRules["packageImportOf"]> {
    const { own, prefix, rulesOf } = this.#parts;
    if (!path.startsWith(prefix)) return rulesOf(path)?.packageImportOf(path, language);
    return own.packageImportOf(path.slice(prefix.length), language);
  }

  #own(importer: Importer): Importer {
    return { ...importer, path: importer.path.slice(this.#parts.prefix.length) };
  }
}
