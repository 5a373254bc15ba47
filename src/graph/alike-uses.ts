// Resolves the uses of a file. Of those that certainly mean the same, only the first is resolved: a file of C calls the same
// function a dozen times.

import type { Use } from "../parse/references/references.ts";
import type { ScopedFile } from "./entity.ts";
import { isOfCpp } from "./cpp-namespaces.ts";
import type { NameResolver } from "./name-resolver.ts";
import { resolveUse } from "./resolve-use.ts";
import type { UseResolution } from "./use-resolution.ts";

/** The uses of one file. */
export class AlikeUses {
  readonly #names: NameResolver;
  readonly #file: ScopedFile;
  readonly #toConstructors: boolean;
  #name = "";
  #isSameAnywhere = false;
  /** By role, in C++ also by arguments. */
  readonly #known = new Map<string, UseResolution>();

  /** `toConstructors`: as in `resolveUse`. */
  constructor(names: NameResolver, file: ScopedFile, { toConstructors = false } = {}) {
    this.#names = names;
    this.#file = file;
    this.#toConstructors = toConstructors;
  }

  /** Returns what is known from a use before; undefined if `resolve` finds out. */
  known(use: Use): UseResolution | undefined {
    return this.#isPlain(use) ? this.#known.get(this.#keyOf(use)) : undefined;
  }

  async resolve(use: Use): Promise<UseResolution> {
    const toConstructors = this.#toConstructors;
    const resolution = await resolveUse(this.#names, this.#file, use, { toConstructors });
    if (this.#isPlain(use)) this.#known.set(this.#keyOf(use), resolution);
    return resolution;
  }

  /** In C++, arguments tell overloads apart. */
  #keyOf({ role, arguments: passed = "" }: Use): string {
    return isOfCpp(this.#file) ? `${role} ${passed}` : role;
  }

  /** Whether nothing but its name, its role and its arguments decides what a use means in the file. */
  #isPlain({ name, receiver, target, binding }: Use): boolean {
    if (receiver !== "" || target !== -1 || binding !== -1) return false;
    if (name !== this.#name) {
      this.#name = name;
      this.#known.clear();
      this.#isSameAnywhere = this.#names.meansSameAnywhere(this.#file, name);
    }
    return this.#isSameAnywhere;
  }
}
