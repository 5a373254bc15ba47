// The copies of packages in the data directory: see sources/dependency-folders.ts.

import { existsSync, mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { takeExclusiveLock } from "../../base/exclusive-lock.ts";
import { createPrivateDirectory, replaceFile, writeFileAtomic } from "../../base/files.ts";
import { dependenciesDirectory, packagesDirectory } from "../../sources/dependency-folders.ts";
import { dependencyNames } from "./dependency-name.ts";
import type { InstalledPackage } from "./installed-package.ts";
import { namesIn, readRecord } from "./project-records.ts";
import { readPackage } from "./package-files.ts";

const LOCK_WAIT_MS = 15_000;

/** Which package a copy is. */
interface About {
  readonly hash: string;
  /** Its name in the folder of the namespace. */
  readonly folder: string;
}

/** The copy of a package. */
export interface StoredPackage {
  readonly namespace: string;
  readonly root: string;
  /** That of its files. */
  readonly hash: string;
  readonly isNew: boolean;
}

export class DependencyStore {
  readonly #dataDirectory: string;

  constructor(dataDirectory: string) {
    this.#dataDirectory = dataDirectory;
  }

  /** Does `work` while no other process changes the copies and records. Throws INDEX_UNAVAILABLE. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    createPrivateDirectory(dependenciesDirectory(this.#dataDirectory));
    const lock = join(dependenciesDirectory(this.#dataDirectory), "lock");
    const release = takeExclusiveLock(lock, LOCK_WAIT_MS);
    if (release === undefined) {
      throw new SvcError("INDEX_UNAVAILABLE", "Another svc process is reading the dependencies.", {
        hint: "Try again when it is done.",
      });
    }
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** The copies that exist, by the hash of their files. */
  copies(): ReadonlyMap<string, StoredPackage> {
    const found = new Map<string, StoredPackage>();
    for (const namespace of namesIn(packagesDirectory(this.#dataDirectory))) {
      const place = packagesDirectory(this.#dataDirectory, namespace);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see `readRecord`
      const about = readRecord(join(place, "about.json")) as About | undefined;
      if (about === undefined) continue;
      found.set(about.hash, {
        namespace,
        root: join(place, about.folder),
        hash: about.hash,
        isNew: false,
      });
    }
    return found;
  }

  /** Copies a package, unless a copy of the same files exists. `isTaken`: names of other namespaces. */
  keep(
    installed: InstalledPackage,
    copies: ReadonlyMap<string, StoredPackage>,
    isTaken: (namespace: string) => boolean,
  ): StoredPackage {
    const known = copies.get(readPackage(installed).hash);
    if (known !== undefined) return known;
    const packages = packagesDirectory(this.#dataDirectory);
    // No namespace begins with a dot.
    const draft = join(packages, ".new");
    rmSync(draft, { recursive: true, force: true });
    const folder = `${basename(installed.name)}@${installed.version}`.replace(/[^\w.@+-]/g, "-");
    mkdirSync(join(draft, folder), { recursive: true, mode: 0o700 });
    const { hash } = readPackage(installed, join(draft, folder));
    const { ecosystem, name, version } = installed;
    writeFileAtomic(
      join(draft, "about.json"),
      `${JSON.stringify({ ecosystem, name, version, hash, folder })}\n`,
    );
    const [plain, marked] = dependencyNames(installed, hash);
    const isFree = !isTaken(plain) && !existsSync(join(packages, plain));
    const namespace = isFree ? plain : marked;
    rmSync(join(packages, namespace), { recursive: true, force: true });
    replaceFile(draft, join(packages, namespace));
    return { namespace, root: join(packages, namespace, folder), hash, isNew: true };
  }

  /** Deletes the copies whose namespace is not in use. */
  sweep(isUsed: (namespace: string) => boolean): void {
    for (const namespace of namesIn(packagesDirectory(this.#dataDirectory))) {
      if (isUsed(namespace)) continue;
      const place = packagesDirectory(this.#dataDirectory, namespace);
      rmSync(place, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}
