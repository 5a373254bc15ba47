// Follows the exports of modules to the definitions that users get.

import type { SymbolRef } from "../../graph/entity.ts";
import type { ApiVersion } from "./api-version.ts";
import { isDefinition, membersOf, type AddName } from "./public-definition.ts";

/** How deep modules are followed that others export. */
const MAX_DEPTH = 8;

/** Adds what modules export under the names of their users. */
export class ExportedNames {
  readonly #version: ApiVersion;
  readonly #add: AddName;
  readonly #separator: string;
  /** Names and files that were followed. */
  readonly #followed = new Set<string>();

  constructor(version: ApiVersion, add: AddName, separator = ".") {
    this.#version = version;
    this.#add = add;
    this.#separator = separator;
  }

  /**
   * Adds one name of a module, with its members. `listed`: returns the names that a module exports, for one that is exported
   * as a whole.
   */
  async add(
    path: string,
    { name, as }: { readonly name: string; readonly as: string },
    listed: (path: string) => Promise<readonly string[]>,
    depth = 0,
  ): Promise<void> {
    const { exports } = this.#version.parts.graph.project.names;
    const entity = await exports.exported(path, name, 0);
    if (entity?.kind === "symbols") {
      for (const ref of entity.symbols) this.#addSymbol(as, ref);
      return;
    }
    const [file] = entity?.kind === "module" ? entity.files : [];
    const key = `${as} ${file}`;
    if (file === undefined || depth >= MAX_DEPTH || this.#followed.has(key)) return;
    this.#followed.add(key);
    for (const inner of await listed(file)) {
      const one = { name: inner, as: `${as}${this.#separator}${inner}` };
      // oxlint-disable-next-line no-await-in-loop -- one name after the other
      await this.add(file, one, listed, depth + 1);
    }
  }

  #addSymbol(as: string, { file, facts }: SymbolRef): void {
    if (!isDefinition(facts)) return;
    this.#add(as, file, facts);
    for (const [inner, member] of membersOf(file, facts.qualifiedName))
      this.#add(`${as}${this.#separator}${inner.replaceAll(".", this.#separator)}`, file, member);
  }
}
