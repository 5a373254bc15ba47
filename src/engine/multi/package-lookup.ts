// Which of many namespaces define a package, and which depend on it: from a note of each index (package-notes.ts).

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import {
  packageKey,
  PackageFacts,
  type DefinedPackage,
} from "../../graph/packages/package-facts.ts";
import type { IndexBackend, IndexReader } from "../../index/port.ts";
import { PACKAGES_NOTE } from "../indexing/package-notes.ts";

/** The packages of namespaces, by name. */
export interface KnownPackages {
  readonly packages: ReadonlyMap<string, PackageFacts>;
  /** One sentence for each namespace whose packages are not known. */
  readonly missing: readonly string[];
}

/** The facts of so many characters of notes are kept; others are read again for each question. */
const MAX_KEPT_CHARACTERS = 32 << 20;

/** Keeps what the last notes say. A note changes without a new version of its index. */
export class PackagesCache {
  readonly #kept = new Map<string, { readonly note: string; readonly facts: PackageFacts }>();
  #characters = 0;

  /**
   * Undefined if an older version of svc wrote the index. The same note has the same facts. `installed`: what is known of
   * installed packages, in the form of a note.
   */
  async of(
    namespace: string,
    reader: Pick<IndexReader, "note">,
    installed = "",
  ): Promise<PackageFacts | undefined> {
    const ofFiles = await reader.note(PACKAGES_NOTE);
    const note = ofFiles === undefined ? undefined : ofFiles + installed;
    const known = this.#kept.get(namespace);
    if (known !== undefined && known.note === note) return known.facts;
    this.#drop(namespace);
    if (note === undefined) return undefined;
    const facts = new PackageFacts(note);
    this.#kept.set(namespace, { note, facts });
    this.#characters += note.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= MAX_KEPT_CHARACTERS) break;
      this.#drop(oldest);
    }
    return facts;
  }

  #drop(namespace: string): void {
    this.#characters -= this.#kept.get(namespace)?.note.length ?? 0;
    this.#kept.delete(namespace);
  }
}

/** Reads the notes of namespaces without opening more of them. */
export async function readPackages(
  {
    index,
    cache,
    installed,
  }: {
    readonly index: Pick<IndexBackend, "reader">;
    readonly cache: PackagesCache;
    /** What is known of the installed packages of namespaces, in the form of their notes. */
    readonly installed: ReadonlyMap<string, string>;
  },
  namespaces: readonly AuthorizedNamespace[],
): Promise<KnownPackages> {
  const packages = new Map<string, PackageFacts>();
  const missing: string[] = [];
  const found = await Promise.all(
    namespaces.map(async (namespace) => {
      try {
        const reader = await index.reader(namespace);
        return reader && (await cache.of(namespace, reader, installed.get(namespace)));
      } catch {
        return undefined;
      }
    }),
  );
  for (const [at, namespace] of namespaces.entries()) {
    const facts = found[at];
    if (facts === undefined)
      missing.push(`The packages of "${namespace}" are unknown: index it again.`);
    else packages.set(namespace, facts);
  }
  return { packages, missing };
}

/** Returns the namespaces that depend on one of these packages. */
export function dependentsOn(
  used: readonly DefinedPackage[],
  packages: ReadonlyMap<string, PackageFacts>,
): readonly string[] {
  return [...packages].flatMap(([name, facts]) =>
    used.some(({ ecosystem, name: ofPackage }) => facts.isRequired(ecosystem, ofPackage))
      ? [name]
      : [],
  );
}

/** Returns the namespaces that define a package on which the project depends. */
export function providersFor(
  user: PackageFacts,
  packages: ReadonlyMap<string, PackageFacts>,
): readonly string[] {
  return [...packages].flatMap(([name, facts]) =>
    facts.defined.some((one) => user.requiredKeys.has(packageKey(one))) ? [name] : [],
  );
}
