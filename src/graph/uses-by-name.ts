// The uses that may refer to a definition: those of its name and of the names that other modules give it.

import { ignoresCase } from "../base/ignores-case.ts";
import type { FileUses } from "../index/port.ts";
import { isSetterToo } from "./distinctions.ts";
import { ownerName, type SymbolRef } from "./entity.ts";
import type { ImportGraph } from "./import-graph.ts";
import { canUse } from "./name-rules.ts";
import { isConstructor } from "./own-names.ts";
import type { ResolutionContext } from "./resolution-context.ts";
import { wholeExportOf } from "./script-exports.ts";

/** The uses that were found last. */
interface LastUses extends Pick<SymbolRef, "file" | "number"> {
  readonly uses: Promise<readonly FileUses[]>;
}

/** Returns the name of the type around a member. */
function lastOfOwner(ref: SymbolRef): string {
  const owner = ownerName(ref);
  return owner.slice(owner.lastIndexOf(".") + 1);
}

/** The usual spellings of a name in a language that ignores case. */
function otherCases(name: string): ReadonlySet<string> {
  const others = new Set([name.toLowerCase(), name.toUpperCase()]);
  others.delete(name);
  return others;
}

/** Finds the uses to resolve. One instance per index generation. */
export class UsesByName {
  readonly #context: ResolutionContext;
  readonly #imports: ImportGraph;
  #last: LastUses | undefined;

  constructor(context: ResolutionContext, imports: ImportGraph) {
    this.#context = context;
    this.#imports = imports;
  }

  /**
   * Returns the uses of a definition's name and of the names under which other modules re-export it. Those of the last
   * definition are kept: its relatives and its users are both found among them.
   */
  of(wanted: SymbolRef): Promise<readonly FileUses[]> {
    const { file, number } = wanted;
    if (this.#last?.file === file && this.#last.number === number) return this.#last.uses;
    const last = { file, number, uses: this.#find(wanted) };
    this.#last = last;
    // A search that failed, because its call was cancelled, is repeated.
    last.uses.catch(() => {
      if (this.#last === last) this.#last = undefined;
    });
    return last.uses;
  }

  async #find(wanted: SymbolRef): Promise<readonly FileUses[]> {
    const files = await this.#context.reader.usesOf(wanted.facts.name);
    return [...files, ...(await this.underOtherNames(wanted, files))];
  }

  /**
   * Returns the uses of the names under which other modules re-export a definition. `files` has the uses of its
   * own name.
   */
  async underOtherNames(
    wanted: SymbolRef,
    files: readonly FileUses[],
  ): Promise<readonly FileUses[]> {
    const others = await this.#otherNames(wanted, files);
    const more = await Promise.all([...others].map((other) => this.#context.reader.usesOf(other)));
    return more.flat();
  }

  /** For a definition of another project, includes its names there. */
  async #otherNames(wanted: SymbolRef, files: readonly FileUses[]): Promise<ReadonlySet<string>> {
    const { name, access } = wanted.facts;
    if (ignoresCase(wanted.file.path)) return otherCases(name);
    if (isSetterToo(wanted)) return new Set([`${name}=`]);
    if (wanted.file.language === "swift")
      return new Set(isConstructor(wanted) ? [lastOfOwner(wanted)] : []);
    if (access !== "exported" || ownerName(wanted) !== "") return new Set();
    const others = new Set(
      await this.#context.elsewhere(wanted.file.path)?.uses.otherNamesOf(wanted),
    );
    for (const { path, uses, reexports } of files) {
      const isOwn = path === wanted.file.path;
      if (!isOwn && !uses.some(({ role }) => role === "import")) continue;
      for (const local of reexports) others.add(local);
    }
    for (const local of await this.#defaultNames(wanted)) others.add(local);
    others.delete(name);
    others.delete("");
    return others;
  }

  /** Returns the names under which modules of the project re-export a definition. */
  async otherNamesOf(wanted: SymbolRef): Promise<ReadonlySet<string>> {
    return this.#otherNames(wanted, await this.#context.reader.usesOf(wanted.facts.name));
  }

  /** Returns the names that importing files give to the default export of a module, or to all that a script exports. */
  async #defaultNames({ file, facts }: SymbolRef): Promise<readonly string[]> {
    if (!canUse(file.language, "javascript")) return [];
    const whole = file.imports[wholeExportOf(file)]?.bindings[0]?.name ?? "exports";
    const wanted = new Set(whole === facts.name ? ["default", "*"] : ["default"]);
    const names: string[] = [];
    for (const { path } of await this.#imports.importersOf(file.path)) {
      // oxlint-disable-next-line no-await-in-loop -- cached by now
      const importer = await this.#context.symbols.file(path);
      for (const { bindings } of importer?.imports ?? []) {
        for (const { name, local } of bindings) if (wanted.has(name)) names.push(local);
      }
    }
    return names;
  }
}
