// One graph over several projects: the users of a definition are those of its own project, and of the projects that
// depend on its package. Paths begin with the name of their project.

import { Yielder } from "../../base/yielder.ts";
import type { SymbolHit } from "../../index/port.ts";
import type { ImportEdge } from "../import-graph.ts";
import { packageKey, type PackageFacts } from "../packages/package-facts.ts";
import type { OutgoingReference, Reference, ReferenceGraph } from "../reference-graph.ts";
import type { LinkedProjects } from "./linked-projects.ts";
import { versionMatch, versionNote } from "./versions.ts";

/** What an answer about references asks of a graph. */
export type WalkedGraph = Pick<
  ReferenceGraph,
  "referencesTo" | "implementationsOf" | "usesFrom" | "importersOf" | "importsOf"
>;

interface Place {
  readonly project: string;
  readonly path: string;
}

/** Divides a path into its project and the path there. */
export function projectPlace(path: string): Place {
  const at = path.indexOf("/");
  return { project: path.slice(0, at), path: path.slice(at + 1) };
}

export class LinkedGraph implements WalkedGraph {
  readonly #projects: LinkedProjects;
  readonly #packages: ReadonlyMap<string, PackageFacts>;

  /** `packages`: those of all projects, by name, in the order in which they are asked. */
  constructor(projects: LinkedProjects, packages: ReadonlyMap<string, PackageFacts>) {
    this.#projects = projects;
    this.#packages = packages;
  }

  async referencesTo(
    symbol: SymbolHit,
    signal?: AbortSignal,
    options?: Parameters<ReferenceGraph["referencesTo"]>[2],
  ): Promise<readonly Reference[]> {
    const found: Reference[] = [];
    for (const graph of this.#usersOf(symbol.path)) {
      if (signal?.aborted === true) break;
      // oxlint-disable-next-line no-await-in-loop -- one project after the other
      for (const one of await graph.referencesTo(symbol, signal, options))
        found.push(this.#withVersion(one, symbol.path));
    }
    return found;
  }

  async implementationsOf(symbol: SymbolHit): Promise<readonly SymbolHit[]> {
    const found: SymbolHit[] = [];
    for (const graph of this.#usersOf(symbol.path)) {
      // oxlint-disable-next-line no-await-in-loop -- one project after the other
      found.push(...(await graph.implementationsOf(symbol)));
    }
    return found;
  }

  async usesFrom(symbol: SymbolHit): Promise<readonly OutgoingReference[]> {
    const all = (await this.#graphOf(symbol.path)?.usesFrom(symbol)) ?? [];
    return all.map((one) => {
      const [target] = one.targets;
      const version = target === undefined ? "" : this.versionBetween(target.path, symbol.path);
      return version === "" ? one : { ...one, certainty: "name", version };
    });
  }

  /** Returns the files that import a file or, of the manifest of a package, any file of the package. */
  async importersOf(path: string): Promise<readonly ImportEdge[]> {
    const found: ImportEdge[] = [];
    const { project, path: own } = projectPlace(path);
    const isManifest = this.#packages.get(project)?.defined.some((one) => one.manifest === own);
    if (isManifest === true) return this.#importersOfPackage(path);
    for (const graph of this.#usersOf(path)) {
      // oxlint-disable-next-line no-await-in-loop -- one project after the other
      for (const edge of await graph.importersOf(path)) found.push(this.#edge(edge, path));
    }
    return found;
  }

  async importsOf(path: string): Promise<readonly ImportEdge[]> {
    const edges = (await this.#graphOf(path)?.importsOf(path)) ?? [];
    return edges.map((edge) => {
      const version = this.versionBetween(edge.path, path);
      return version === "" ? edge : { ...edge, version };
    });
  }

  /** Returns the uses in a file, of its own project and of others. */
  async usesFromFile(path: string): Promise<readonly OutgoingReference[]> {
    return (await this.#graphOf(path)?.usesFromFile(path)) ?? [];
  }

  /** Returns how the version of a definition's package differs from the one that a file of another project uses. */
  versionBetween(definition: string, user: string): string {
    const [from, to] = [projectPlace(user), projectPlace(definition)];
    if (from.project === to.project) return "";
    const packages = this.#packages.get(from.project);
    const used = this.#packages
      .get(to.project)
      ?.packagesAround(to.path)
      .find(({ ecosystem, name }) => packages?.isRequired(ecosystem, name) === true);
    if (packages === undefined || used === undefined) return "";
    return versionNote(versionMatch(used, packages, from.path));
  }

  /** Returns which packages have a file; equal for files of the same packages. */
  packagesOf(path: string): string {
    const { project, path: own } = projectPlace(path);
    const around = this.#packages.get(project)?.packagesAround(own) ?? [];
    return around.map(packageKey).join("\n");
  }

  /** Returns the names of the projects that depend on a package that has this file. */
  dependentsOf(path: string): readonly string[] {
    const { project, path: own } = projectPlace(path);
    const packages = this.#packages.get(project)?.packagesAround(own) ?? [];
    return [...this.#packages.keys()].filter(
      (name) =>
        name !== project &&
        packages.some((one) => this.#packages.get(name)?.isRequired(one.ecosystem, one.name)),
    );
  }

  async #importersOfPackage(manifest: string): Promise<readonly ImportEdge[]> {
    const { project, path } = projectPlace(manifest);
    const packages = this.#packages.get(project);
    const isInside = (file: string): boolean => {
      const place = projectPlace(file);
      const [around] =
        place.project === project ? (packages?.packagesAround(place.path) ?? []) : [];
      return around?.manifest === path;
    };
    const found: ImportEdge[] = [];
    const yielder = new Yielder();
    for (const name of this.dependentsOf(manifest)) {
      const graph = this.#projects.graphOf(name);
      for (const file of this.#projects.filesOf(name)) {
        // oxlint-disable-next-line no-await-in-loop -- yields to other calls
        await yielder.yieldIfDue();
        // oxlint-disable-next-line no-await-in-loop -- one file after the other
        const edge = (await graph?.importsOf(file))?.find((one) => isInside(one.path));
        if (edge !== undefined) found.push(this.#edge({ path: file, line: edge.line }, manifest));
      }
    }
    return found;
  }

  #usersOf(path: string): readonly ReferenceGraph[] {
    const names = [projectPlace(path).project, ...this.dependentsOf(path)];
    return names.flatMap((name) => this.#projects.graphOf(name) ?? []);
  }

  #graphOf(path: string): ReferenceGraph | undefined {
    return this.#projects.graphOf(projectPlace(path).project);
  }

  /** A use that was resolved in another version of the package is not proved. */
  #withVersion(reference: Reference, definition: string): Reference {
    if (reference.certainty !== "exact") return reference;
    const version = this.versionBetween(definition, reference.path);
    if (version === "") return reference;
    const { path, line, role, owner } = reference;
    return { path, line, role, owner, certainty: "name", version };
  }

  #edge(edge: ImportEdge, definition: string): ImportEdge {
    const version = this.versionBetween(definition, edge.path);
    return version === "" ? edge : { ...edge, version };
  }
}
