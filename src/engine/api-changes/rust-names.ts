// The public names of Rust crates: items that a path of public modules, or a `pub use`, makes reachable.

import { PathSearch } from "../../graph/modules/path-search.ts";
import { isSecondary } from "../../graph/modules/path-search.ts";
import { RustCrates } from "../../graph/modules/rust-crates.ts";
import { folderOf } from "../../graph/modules/paths.ts";
import type { FileFacts } from "../../index/types.ts";
import type { ApiVersion } from "./api-version.ts";
import { ExportedNames } from "./exported-names.ts";
import type { AddName, NamesOptions } from "./public-definition.ts";

const MAX_WILDCARDS = 16;

export class RustNames {
  readonly #version: ApiVersion;
  readonly #exported: ExportedNames;

  constructor(version: ApiVersion, add: AddName) {
    this.#version = version;
    this.#exported = new ExportedNames(version, add, "::");
  }

  async addAll(_files: readonly FileFacts[], { signal }: NamesOptions): Promise<void> {
    const tree = await this.#version.tree();
    const crates = new RustCrates(
      { tree, read: this.#version.parts.readFile },
      new PathSearch(tree),
    );
    for (const manifest of tree.named("Cargo.toml")) {
      signal.throwIfAborted();
      const crate = crates.packageIn(folderOf(manifest));
      if (crate?.library === undefined || isSecondary("", manifest)) continue;
      // oxlint-disable-next-line no-await-in-loop -- one crate after the other
      for (const name of await this.#namesOf(crate.library)) {
        const one = { name, as: `${crate.name}::${name}` };
        // oxlint-disable-next-line no-await-in-loop -- as above
        await this.#exported.add(crate.library, one, (path) => this.#namesOf(path));
      }
    }
  }

  async #namesOf(path: string, depth = 0): Promise<readonly string[]> {
    const file = await this.#version.scope(path);
    if (file === undefined) return [];
    const names = new Set(
      file.symbols
        .filter(
          ({ name, qualifiedName, access }) => name === qualifiedName && access === "exported",
        )
        .map(({ name }) => name),
    );
    for (const { module, bindings, isReexport, isWildcard } of file.imports) {
      if (!isReexport) continue;
      for (const { name, local } of bindings) names.add(local === "" ? name : local);
      const [target] = isWildcard ? this.#version.targetOf(file, module) : [];
      if (target === undefined || target === path || depth >= MAX_WILDCARDS) continue;
      // oxlint-disable-next-line no-await-in-loop -- one module after the other
      for (const name of await this.#namesOf(target, depth + 1)) names.add(name);
    }
    return [...names].filter((name) => /^\w+$/.test(name));
  }
}
