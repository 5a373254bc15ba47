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

/** Notes of more characters are read again for each question. */
const MAX_KEPT_CHARACTERS = 32 << 20;

/** Keeps the packages of the versions of indexes that were read last. */
export class PackagesCache {
  readonly #kept = new Map<string, { readonly version: string; readonly facts: PackageFacts }>();
  #characters = 0;

  async of(namespace: string, reader: IndexReader): Promise<PackageFacts | undefined> {
    const version = `${reader.version.epoch} ${reader.version.at}`;
    const known = this.#kept.get(namespace);
    if (known?.version === version) return known.facts;
    const facts = await packagesOf(reader);
    this.#drop(namespace);
    if (facts === undefined) return undefined;
    this.#kept.set(namespace, { version, facts });
    this.#characters += facts.characters;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= MAX_KEPT_CHARACTERS) break;
      this.#drop(oldest);
    }
    return facts;
  }

  #drop(namespace: string): void {
    this.#characters -= this.#kept.get(namespace)?.facts.characters ?? 0;
    this.#kept.delete(namespace);
  }
}

/** Reads the notes of namespaces without opening more of them. */
export async function readPackages(
  { index, cache }: { readonly index: Pick<IndexBackend, "reader">; readonly cache: PackagesCache },
  namespaces: readonly AuthorizedNamespace[],
): Promise<KnownPackages> {
  const packages = new Map<string, PackageFacts>();
  const missing: string[] = [];
  const found = await Promise.all(
    namespaces.map(async (namespace) => {
      try {
        const reader = await index.reader(namespace);
        return reader && (await cache.of(namespace, reader));
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

/** Returns the packages of an index; undefined if an older version of svc wrote it. */
export async function packagesOf(
  reader: Pick<IndexReader, "note">,
): Promise<PackageFacts | undefined> {
  const note = await reader.note(PACKAGES_NOTE);
  return note === undefined ? undefined : new PackageFacts(note);
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
