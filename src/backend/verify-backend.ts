// Reads everything that a backend stores of its indexes, and reports data that has changed since it was written.
// Repairs nothing.

import { userInfo } from "node:os";

import type { AuthorizedNamespace } from "../base/authorized-namespace.ts";
import { Catalog } from "../index/embedded/catalog/catalog.ts";
import { indexLayout } from "../index/embedded/layout.ts";
import type { Principal } from "../sources/principal.ts";
import type { Backend, PostgresDescription, StoredDescription } from "./backend.ts";
import { openBackend } from "./open-backend.ts";

/** The result of reading a namespace, with one sentence for each problem. */
export interface VerifiedNamespace {
  readonly namespace: string;
  /** Number of files that the index lists. */
  readonly files: number;
  readonly damage: readonly string[];
}

interface VerifyOptions {
  /** The caller. */
  readonly principal: Principal;
  /** Verify only this namespace. */
  readonly wanted?: string | undefined;
}

/**
 * Yields each namespace of the caller that has an index, in the order of their names. In a shared backend, reads the
 * objects of the index and the texts in the database, and this machine's copy. Throws NAMESPACE_NOT_FOUND,
 * BACKEND_UNAVAILABLE, INDEX_UNAVAILABLE and USAGE.
 */
export async function* verifyBackend(
  description: StoredDescription,
  { principal, wanted }: VerifyOptions,
): AsyncGenerator<VerifiedNamespace, void, undefined> {
  const backend = await openBackend(description);
  try {
    const state = await (await backend.registry()).state();
    const names = wanted === undefined ? state.namespaces() : [wanted];
    for (const name of names) {
      const namespace = principal.authorize(name, (one) => state.has(one));
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const verified = await verifyNamespace(backend, description, namespace);
      if (verified !== undefined) yield verified;
    }
  } finally {
    backend.close();
  }
}

/** Undefined for a namespace without an index. */
async function verifyNamespace(
  { index }: Backend,
  description: StoredDescription,
  namespace: AuthorizedNamespace,
): Promise<VerifiedNamespace | undefined> {
  const shared =
    description.kind === "postgres" ? await sharedDamage(description, namespace) : undefined;
  // The copy is made of what the database has.
  const damage = shared?.objects ?? [];
  const own = damage.length > 0 ? [] : await index.verify(namespace);
  if (own === undefined) return undefined;
  const hashes = own.length > 0 || damage.length > 0 ? undefined : hashesOf(description, namespace);
  const texts = hashes === undefined ? [] : ((await shared?.texts(hashes.contents)) ?? []);
  return { namespace, files: hashes?.files ?? 0, damage: [...damage, ...own, ...texts] };
}

interface SharedDamage {
  readonly objects: readonly string[];
  readonly texts: (hashes: ReadonlySet<string>) => Promise<readonly string[]>;
}

/** Loads the code for PostgreSQL. */
async function sharedDamage(
  { url }: PostgresDescription,
  namespace: string,
): Promise<SharedDamage> {
  const [{ Database }, { parseDatabaseUrl }, { ObjectStore }, { verifyTexts }] = await Promise.all([
    import("../postgres/database.ts"),
    import("../postgres/database-url.ts"),
    import("../index/postgres/object-store.ts"),
    import("../sources/text/verify-texts.ts"),
  ]);
  const open = () => new Database(parseDatabaseUrl(url), userInfo().username);
  const using = async <T>(work: (database: InstanceType<typeof Database>) => Promise<T>) => {
    const database = open();
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const { damaged } = await using((database) => new ObjectStore(database, namespace).verify());
  return {
    objects: damaged.map((name) => `${name} is damaged in the database.`),
    async texts(hashes) {
      const { missing, damaged: wrong } = await using((database) =>
        verifyTexts(database, namespace, hashes),
      );
      return [
        ...(missing === 0 ? [] : [`${missing} texts are missing in the database.`]),
        ...(wrong === 0 ? [] : [`${wrong} texts are damaged in the database.`]),
      ];
    },
  };
}

/** The contents of the files of an index that is intact, and the number of the files. */
function hashesOf(
  description: StoredDescription,
  namespace: string,
): { readonly files: number; readonly contents: ReadonlySet<string> } {
  const directory =
    description.kind === "postgres" ? description.cacheDirectory : description.dataDirectory;
  const catalog = Catalog.openToRead(indexLayout(directory, namespace).catalog);
  try {
    const rows = catalog?.files.all() ?? [];
    // Files whose content is not indexed have no text in the database.
    const contents = rows.filter(({ segment }) => segment !== null).map(({ hash }) => hash);
    return { files: rows.length, contents: new Set(contents) };
  } finally {
    catalog?.close();
  }
}
