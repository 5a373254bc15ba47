// Which project uses which packages: records in the data directory (sources/dependency-folders.ts).

import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

import { createPrivateDirectory, readRegularFile, writeFileAtomic } from "../../base/files.ts";
import { encodeFacts, type Ecosystem } from "../../graph/packages/package-facts.ts";
import { dependenciesDirectory } from "../../sources/dependency-folders.ts";
import type { RegistryState } from "../../sources/registry/registry-state.ts";
import type { LeftOut } from "./installed-package.ts";

const MAX_RECORD_BYTES = 4 << 20;

/** A package that a project uses. */
export interface DependencyRecord {
  readonly namespace: string;
  readonly ecosystem: Ecosystem;
  readonly name: string;
  readonly version: string;
  /** See `InstalledPackage`. */
  readonly stamp: string;
  /** Folders of the project with a manifest that names it, and its other name there. */
  readonly uses: readonly { readonly folder: string; readonly alias: string }[];
}

/** What a project wants of its dependencies, and has. */
export interface ProjectRecord {
  /** That of the namespace: a later one of the same name has no dependencies. */
  readonly createdAt: string;
  /** Names of packages; all direct ones by default. */
  readonly only?: readonly string[] | undefined;
  readonly packages: readonly DependencyRecord[];
  readonly leftOut: readonly LeftOut[];
}

export class ProjectRecords {
  readonly #folder: string;

  constructor(dataDirectory: string) {
    this.#folder = join(dependenciesDirectory(dataDirectory), "projects");
  }

  /** The names of the namespaces that have records. */
  names(): readonly string[] {
    return namesIn(this.#folder).flatMap((name) =>
      /^[^.].*\.json$/.test(name) ? [name.slice(0, -".json".length)] : [],
    );
  }

  has(namespace: string): boolean {
    return this.#read(namespace) !== undefined;
  }

  /** Undefined for a namespace without dependencies, and if the record is that of an earlier one of the same name. */
  of(namespace: string, state: Pick<RegistryState, "createdAt">): ProjectRecord | undefined {
    const record = this.#read(namespace);
    return record?.createdAt === state.createdAt(namespace) ? record : undefined;
  }

  /** The namespaces of the packages that a project uses. */
  namespacesOf(
    project: string,
    state: Pick<RegistryState, "createdAt" | "has">,
  ): readonly string[] {
    const names = this.of(project, state)?.packages.map(({ namespace }) => namespace) ?? [];
    return names.filter((name) => state.has(name));
  }

  set(namespace: string, record: ProjectRecord): void {
    createPrivateDirectory(this.#folder);
    writeFileAtomic(this.#file(namespace), `${JSON.stringify(record, undefined, 1)}\n`);
  }

  forget(namespace: string): void {
    rmSync(this.#file(namespace), { force: true });
  }

  #read(namespace: string): ProjectRecord | undefined {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see `readRecord`
    return readRecord(this.#file(namespace)) as ProjectRecord | undefined;
  }

  #file(namespace: string): string {
    return join(this.#folder, `${namespace}.json`);
  }
}

/** Returns what a lock file would say of the packages that are installed. */
export function installedFacts({ packages }: Pick<ProjectRecord, "packages">): string {
  const requires = packages.flatMap(({ ecosystem, name, version, uses }) =>
    uses.map(({ folder, alias }) => ({ ecosystem, name, version, isLocked: true, folder, alias })),
  );
  return encodeFacts({ defines: [], requires }, "");
}

export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the value in a file of JSON, which only svc writes; one that another program has damaged counts as none. */
export function readRecord(path: string): unknown {
  const bytes = readRegularFile(path, MAX_RECORD_BYTES);
  if (bytes === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(bytes.toString("utf8"));
    return value ?? undefined;
  } catch {
    return undefined;
  }
}
