// Resolves the names that modules export and imports bind, through re-exports and submodules.

import { languageFamily } from "../base/language-families.ts";
import type { Binding, Import } from "../parse/references/references.ts";
import {
  isType,
  OUTSIDE,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { isHiddenInLua } from "./lua-classes.ts";
import type { Importer } from "./modules/module-target.ts";
import { isHidden } from "./dart-definitions.ts";
import { nameRules } from "./name-rules.ts";
import { defaultExport, isImported } from "./own-names.ts";
import { MAX_STEPS, type ResolutionContext } from "./resolution-context.ts";
import { isCrateRoot, nearestMacros } from "./rust-macros.ts";
import { ownScriptExport, WHOLE_EXPORT, wholeExportOf } from "./script-exports.ts";

/** Resolves a name in a module, namespace or type; undefined if it is unknown. */
export type ResolveWithin = (
  entity: Entity,
  name: string,
  steps: number,
) => Promise<Entity | undefined>;

/** Resolves an import of a file of Scala. */
type ResolveImport = (
  file: ScopedFile,
  module: string,
  steps: number,
) => Promise<Entity | undefined>;

/** Resolves imported and exported names. `steps` is the depth in a chain, at most `MAX_STEPS`. */
export class ModuleExports {
  readonly #context: ResolutionContext;
  readonly #within: ResolveWithin;
  readonly #importedInScala: ResolveImport;

  constructor(context: ResolutionContext, within: ResolveWithin, importedInScala: ResolveImport) {
    this.#context = context;
    this.#within = within;
    this.#importedInScala = importedInScala;
  }

  /** Returns the meaning of a name that an import binds, or undefined if it is unknown. */
  async bound(
    file: ScopedFile,
    {
      import: { module },
      binding,
    }: { readonly import: Pick<Import, "module">; readonly binding: Binding },
    steps = 0,
  ): Promise<Entity | undefined> {
    const other = this.#context.elsewhere(file.path);
    if (other !== undefined)
      return other.names.exports.bound(file, { import: { module }, binding }, steps);
    // The file re-exports a definition of its own under another name.
    if (module === "") return this.exported(file.path, binding.name, steps + 1);
    if (nameRules(file.language).hasModuleSymbols === true) return this.named(module);
    if (file.language === "scala") return this.#importedInScala(file, module, steps);
    const target = this.#context.target(file, module);
    if (target.isExternal) return OUTSIDE;
    if (target.files.length === 0) return this.#submodule(file, module, binding.name);
    const { files, isPackage, rest } = target;
    if (rest.length > 0) return this.pathInModules(files, rest, steps + 1);
    if (binding.name === "*") {
      // `require` returns the value that the module assigns to its exports.
      const whole = await this.inModules(files.slice(0, 1), WHOLE_EXPORT, steps + 1);
      return whole ?? { kind: "module", files, isPackage };
    }
    const found = await this.inModules(files, binding.name, steps + 1);
    if (found !== undefined) return found;
    const isScript = binding.name === "default" && file.language === "javascript";
    if (isScript || nameRules(file.language).importsByFullName === true)
      return { kind: "module", files, isPackage };
    return this.#submodule(file, module, binding.name);
  }

  /** Returns the module with this name in full; undefined if there are several, and `OUTSIDE` if there is none. */
  async named(module: string): Promise<Entity | undefined> {
    const { symbols } = this.#context;
    const found = (await symbols.definitions(module)).filter(isType);
    // One inside another module has only the last part as its name.
    const nested = await symbols.definitions(module.slice(module.lastIndexOf(".") + 1));
    const inner = nested.filter((ref) => ref.facts.qualifiedName === module && isType(ref));
    const modules = found.length > 0 ? found : inner;
    if (modules.length === 0) return OUTSIDE;
    return modules.length === 1 ? symbolsEntity(modules) : undefined;
  }

  #submodule(file: ScopedFile, module: string, name: string): Entity | undefined {
    const files = this.submodules(file, module, name);
    return files.length === 0 ? undefined : { kind: "module", files, isPackage: false };
  }

  /**
   * Returns the file of the module in `from package import module`; none if that is a name in the package.
   */
  submodules(file: Importer, module: string, name: string): readonly string[] {
    if (languageFamily(file.language) !== "python" || name === "*") return [];
    const path = `${module}${module.endsWith(".") ? "" : "."}${name}`;
    const { files, rest } = this.#context.target(file, path);
    return rest.length === 0 ? files.slice(0, 1) : [];
  }

  /** Resolves a path of names: the first one in a module, every other one in the previous one. */
  async pathInModules(
    files: readonly string[],
    [first = "", ...rest]: readonly string[],
    steps: number,
  ): Promise<Entity | undefined> {
    let entity = await this.inModules(files, first, steps);
    for (const part of rest) {
      // oxlint-disable-next-line no-await-in-loop -- each part depends on the previous one
      entity = entity && (await this.#within(entity, part, steps + 1));
      if (entity?.kind === "outside") return undefined;
    }
    return entity;
  }

  /** Resolves a name in the first of these files that exports it. */
  async inModules(
    files: readonly string[],
    name: string,
    steps: number,
  ): Promise<Entity | undefined> {
    for (const path of files) {
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      const found = await this.exported(path, name, steps);
      if (found !== undefined && !isHiddenInLua(found, path, name)) return found;
    }
    return undefined;
  }

  /** Returns the meaning of a name that another file imports from this file. */
  async exported(path: string, name: string, steps = 0): Promise<Entity | undefined> {
    if (steps > MAX_STEPS) return undefined;
    const other = this.#context.elsewhere(path);
    if (other !== undefined) return other.names.exports.exported(path, name, steps);
    const file = await this.#context.symbols.file(path);
    return file && this.#exportedBy(file, name, steps);
  }

  async #exportedBy(file: ScopedFile, name: string, steps: number): Promise<Entity | undefined> {
    const own = (await this.#memberOfWhole(file, name, steps)) ?? ownDefinitions(file, name);
    if (own !== undefined) return own;
    const { passesImportsOn = false } = nameRules(file.language);
    for (const one of file.imports) {
      const binding = exportedBinding(one, name);
      // oxlint-disable-next-line no-await-in-loop -- the first match wins
      if (binding !== undefined) return this.bound(file, { import: one, binding }, steps + 1);
      if (!one.isWildcard || !(one.isReexport || passesImportsOn) || isHidden(one, name)) continue;
      const { files } = this.#context.target(file, one.module);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await this.inModules(files, name, steps + 1);
      if (found !== undefined) return found;
    }
    if (isCrateRoot(file))
      return symbolsEntity(nearestMacros(file, await this.#context.symbols.definitions(name)));
    return this.#scriptExport(file, name, steps);
  }

  /** Returns the meaning of a name that no definition or import of the file has. */
  async #scriptExport(file: ScopedFile, name: string, steps: number): Promise<Entity | undefined> {
    const script = ownScriptExport(file, name);
    if (script !== undefined || name !== "default") return script;
    return (await this.exported(file.path, WHOLE_EXPORT, steps + 1)) ?? defaultExport(file);
  }

  /** Returns what a script exports under a name in addition to the value `whole`, whose properties these exports are. */
  async addedToWhole(
    { file, facts }: SymbolRef,
    name: string,
    steps: number,
  ): Promise<Entity | undefined> {
    const whole = file.imports[wholeExportOf(file)]?.bindings[0];
    if (whole?.name !== facts.qualifiedName) return undefined;
    const own = symbolsIn(file, name).filter((one) => one.facts.access === "exported");
    if (own.length > 0) return symbolsEntity(own);
    const one = file.imports.find(
      ({ isReexport, bindings }) => isReexport && bindings.some(({ local }) => local === name),
    );
    const binding = one?.bindings.find(({ local }) => local === name);
    return one && binding && this.bound(file, { import: one, binding }, steps + 1);
  }

  /** Returns a member of the value that a script exports as a whole. */
  async #memberOfWhole(file: ScopedFile, name: string, steps: number): Promise<Entity | undefined> {
    const one = file.imports[wholeExportOf(file)];
    const [binding] = one?.bindings ?? [];
    if (one === undefined || binding === undefined || name === WHOLE_EXPORT) return undefined;
    const whole = await this.bound(file, { import: one, binding }, steps + 1);
    if (whole?.kind !== "symbols") return undefined;
    const member = await this.#within(whole, name, steps + 1);
    return member?.kind === "symbols" ? member : undefined;
  }
}

/** A list of exports names what the file defines or imports elsewhere. */
function exportedBinding({ module, bindings }: Import, name: string): Binding | undefined {
  return bindings.find(
    (each) =>
      (each.local === name || (each.local === "" && each.name === name)) &&
      (module !== "" || each.name !== name),
  );
}

function ownDefinitions(file: ScopedFile, name: string): Entity | undefined {
  const own = symbolsIn(file, name);
  return isImported(file, own, name) ? undefined : symbolsEntity(own);
}
