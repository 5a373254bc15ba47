// Finds the users of changed definitions, in the project at the new version and in the namespaces that depend on its
// packages.

import { projectPlace } from "../../graph/linked/linked-graph.ts";
import { versionMatch } from "../../graph/linked/versions.ts";
import type { PackageFacts } from "../../graph/packages/package-facts.ts";
import type { SymbolHit } from "../../index/port.ts";
import type { Certainty, Reference } from "../../graph/reference-graph.ts";
import type { ApiUser } from "../api/api-changes.ts";
import type { AcrossNamespaces, AskedNamespaces, Linked } from "../multi/across-namespaces.ts";
import type { OpenIndex } from "../open-indexes.ts";
import type { ApiVersion } from "./api-version.ts";
import type { NameChange } from "./diff-names.ts";
import type { PublicDefinition } from "./public-definition.ts";

interface UserParts {
  readonly before: ApiVersion;
  readonly now: ApiVersion;
  readonly signal: AbortSignal;
}

/** Returns the places of the project that the change may have broken. */
export async function usersWithin(
  { before, now, signal }: UserParts,
  change: NameChange,
): Promise<readonly ApiUser[]> {
  const { before: old, now: one } = change;
  if (old === undefined) return [];
  if (change.change === "signature" && one !== undefined) {
    const all = await now.parts.graph.referencesTo(hitOf(one), signal, { withOverloads: true });
    return all.filter((user) => isBroken(user, change) && !isInside(user, one)).map(userOf);
  }
  // Who used the old one, and still has its name, which leads to nothing else.
  const users = await before.parts.graph.referencesTo(hitOf(old), signal, { withOverloads: true });
  const files = new Map<string, Certainty>();
  for (const { path, certainty } of users)
    if (files.get(path) !== "exact") files.set(path, certainty);
  const found: ApiUser[] = [];
  for (const { path, uses } of await now.parts.reader.usesOf(old.facts.name)) {
    const certainty = files.get(path);
    if (certainty === undefined) continue;
    // oxlint-disable-next-line no-await-in-loop -- one file after the other
    const resolved = await now.parts.graph.usesFromFile(path);
    const isElsewhere = (line: number): boolean =>
      resolved.some(
        (use) => use.line === line && use.name === old.facts.name && use.certainty === "exact",
      );
    const lines = new Set(uses.map(({ line }) => line));
    const symbols = await now.parts.reader.symbolsOf(path);
    for (const line of lines) {
      if (isElsewhere(line)) continue;
      const around = symbols.findLast(
        ({ startLine, endLine }) => startLine <= line && line <= endLine,
      );
      found.push({ path, line, symbol: around?.qualifiedName ?? "", certainty });
    }
  }
  return found;
}

/** Finds the users in other namespaces: what they use is the old version. */
export class UsersAcross {
  readonly #across: AcrossNamespaces;
  readonly #asked: AskedNamespaces;
  readonly #home: OpenIndex;
  readonly #packages: PackageFacts;
  readonly #signal: AbortSignal;
  readonly #linked = new Map<string, Promise<Linked>>();
  readonly missing = new Set<string>();

  /** `home`: the index of the old version. */
  constructor(
    across: AcrossNamespaces,
    asked: AskedNamespaces,
    {
      home,
      packages,
      signal,
    }: { readonly home: OpenIndex; readonly packages: PackageFacts; readonly signal: AbortSignal },
  ) {
    this.#across = across;
    this.#asked = asked;
    this.#home = home;
    this.#packages = packages;
    this.#signal = signal;
  }

  async usersOf(change: NameChange): Promise<readonly ApiUser[]> {
    const { before: old } = change;
    if (old === undefined) return [];
    const { namespace } = this.#home;
    const { graph, packages } = await this.#link(old.path);
    const full = hitOf({ ...old, path: `${namespace}/${old.path}` });
    const all = await graph.referencesTo(full, this.#signal, { withOverloads: true });
    return all.flatMap((reference): ApiUser[] => {
      const { project, path } = projectPlace(reference.path);
      if (project === namespace || !isBroken(reference, change)) return [];
      const version = this.#versionOf(old.path, packages.get(project), path);
      return [{ ...userOf(reference), path, namespace: project, ...version }];
    });
  }

  #link(path: string): Promise<Linked> {
    const around = this.#packages.packagesAround(path);
    const key = around.map(({ name }) => name).join("\n");
    const known = this.#linked.get(key);
    if (known !== undefined) return known;
    const home = { index: this.#home, packages: this.#packages };
    const linked = this.#across.link(this.#asked, home, { path, direction: "users" });
    this.#linked.set(key, linked);
    void linked.then(
      ({ missing }) => missing.forEach((one) => this.missing.add(one)),
      () => {},
    );
    return linked;
  }

  #versionOf(
    definition: string,
    user: PackageFacts | undefined,
    path: string,
  ): Pick<ApiUser, "version" | "isLocked"> {
    const used = this.#packages
      .packagesAround(definition)
      .find(({ ecosystem, name }) => user?.isRequired(ecosystem, name) === true);
    if (user === undefined || used === undefined) return {};
    const { wanted, isLocked } = versionMatch(used, user, path);
    return { version: wanted.join(" or "), isLocked };
  }
}

function hitOf({ path, facts }: Pick<PublicDefinition, "path" | "facts">): SymbolHit {
  return { ...facts, path };
}

/** An import goes on, unless its name is gone. */
function isBroken({ role }: Reference, { change }: NameChange): boolean {
  return change !== "signature" || role !== "import";
}

/** A definition that uses itself is not a user. */
function isInside({ path, line }: Reference, { path: own, facts }: PublicDefinition): boolean {
  return path === own && facts.startLine <= line && line <= facts.endLine;
}

function userOf({ path, line, owner, certainty }: Reference): ApiUser {
  return { path, line, symbol: owner?.qualifiedName ?? "", certainty };
}
