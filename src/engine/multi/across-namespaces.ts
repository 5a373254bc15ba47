// References and impact across namespaces: an import of a package leads to the namespace that defines it. Only namespaces
// that the caller may use and has asked for are read.

import type { AuthorizedNamespace } from "../../base/authorized-namespace.ts";
import { SvcError, toSvcError } from "../../base/errors.ts";
import { LinkedGraph } from "../../graph/linked/linked-graph.ts";
import { LinkedProjects, type LinkedProject } from "../../graph/linked/linked-projects.ts";
import { PackageFacts } from "../../graph/packages/package-facts.ts";
import type { ReferenceGraph } from "../../graph/reference-graph.ts";
import { MultiReader } from "../../index/multi/multi-reader.ts";
import type { IndexBackend, IndexReader } from "../../index/port.ts";
import { namespaceListText, type NamespaceList } from "../../sources/namespace-list.ts";
import type { TextReader } from "../../sources/text/port.ts";
import { installedFacts, type ProjectRecords } from "../dependencies/project-records.ts";
import type { EngineRequest } from "../api/request.ts";
import type { Namespaces } from "../namespaces.ts";
import type { OpenIndex, OpenIndexes } from "../open-indexes.ts";
import { multiTexts } from "./multi-texts.ts";
import {
  dependentsOn,
  PackagesCache,
  providersFor,
  readPackages,
  type KnownPackages,
} from "./package-lookup.ts";

export interface AcrossParts {
  readonly indexes: Pick<OpenIndexes, "use" | "anyReader">;
  readonly index: Pick<IndexBackend, "reader">;
  readonly namespaces: Pick<
    Namespaces,
    "authorize" | "visible" | "ofWorkspace" | "state" | "isDependency"
  >;
  readonly records: Pick<ProjectRecords, "names" | "of">;
  /** Its texts must be masked. */
  readonly textsOf: (index: OpenIndex) => TextReader;
  readonly graphOf: (index: OpenIndex) => Promise<ReferenceGraph>;
  /** Returns what reads the config files of an index. */
  readonly configOf: (index: OpenIndex) => Promise<LinkedProject["readFile"]>;
}

/** As for a search: more namespaces are used as they are, and not kept up to date. */
const MAX_FRESH_NAMESPACES = 16;
/** Maximum namespaces whose graphs are opened for one answer. */
export const MAX_LINKED = 200;
/** Maximum sets of linked graphs that are kept: each has the caches of its graphs. */
const MAX_KEPT = 2;

/** The namespaces of a request. */
export interface AskedNamespaces {
  readonly names: readonly AuthorizedNamespace[];
  readonly isKeptFresh: boolean;
  /** The list as the request has it. */
  readonly text: string;
  readonly request: EngineRequest;
}

/** The namespace whose definitions others use, and its packages: those of its index by default. */
export interface LinkedHome {
  readonly index: OpenIndex;
  readonly packages: PackageFacts;
}

/** Namespaces whose graphs are linked. */
export interface Linked {
  readonly packages: ReadonlyMap<string, PackageFacts>;
  readonly graph: LinkedGraph;
  readonly projects: LinkedProjects;
  readonly reader: MultiReader;
  readonly texts: TextReader;
  readonly indexes: ReadonlyMap<string, OpenIndex>;
  readonly missing: readonly string[];
}

/** Linked graphs, with the packages that they were linked by. */
interface KeptProjects {
  readonly projects: Promise<LinkedProjects>;
  readonly facts: readonly (PackageFacts | undefined)[];
}

export class AcrossNamespaces {
  readonly #parts: AcrossParts;
  readonly #packages = new PackagesCache();
  readonly #kept = new Map<string, KeptProjects>();

  constructor(parts: AcrossParts) {
    this.#parts = parts;
  }

  get parts(): AcrossParts {
    return this.#parts;
  }

  /** Returns the packages of all namespaces of a request. */
  async packages({ names }: AskedNamespaces): Promise<KnownPackages> {
    const { index, records, namespaces } = this.#parts;
    const installed = new Map<string, string>();
    const asked = new Set<string>(names);
    for (const name of records.names()) {
      // oxlint-disable-next-line no-await-in-loop -- the state is in memory
      const record = asked.has(name) ? records.of(name, await namespaces.state()) : undefined;
      if (record !== undefined) installed.set(name, installedFacts(record));
    }
    return readPackages({ index, cache: this.#packages, installed }, names);
  }

  /** Throws NAMESPACE_NOT_FOUND if the caller may not use one of the namespaces, or none. */
  async asked(list: NamespaceList, request: EngineRequest): Promise<AskedNamespaces> {
    const { namespaces } = this.#parts;
    const names =
      list === "all"
        ? await this.#workspaceFirst(await namespaces.visible(request))
        : await Promise.all(list.map((name) => namespaces.authorize(request, name)));
    if (names.length === 0) {
      throw new SvcError("NAMESPACE_NOT_FOUND", "There is no namespace to search.", {
        hint: "Index a project with `svc index`.",
      });
    }
    const isKeptFresh = names.length <= MAX_FRESH_NAMESPACES;
    return { names, isKeptFresh, text: namespaceListText(list), request };
  }

  /** Opens an index. Throws what `OpenIndexes.use` throws. */
  open({ request, isKeptFresh }: AskedNamespaces, namespace: string): Promise<OpenIndex> {
    const how = { readiness: "words", isKeptFresh } as const;
    return this.#parts.indexes.use({ ...request, namespace }, how, async (index) => index);
  }

  /** Links a namespace with those that depend on the packages around a path, or that it depends on. */
  async link(
    asked: AskedNamespaces,
    homeOrIndex: OpenIndex | LinkedHome,
    { path, direction }: { readonly path: string; readonly direction: "users" | "used" },
  ): Promise<Linked> {
    const { packages: known, missing } = await this.packages(asked);
    const isGiven = "index" in homeOrIndex;
    const home = isGiven ? homeOrIndex.index : homeOrIndex;
    const packages = isGiven ? new Map(known).set(home.namespace, homeOrIndex.packages) : known;
    const own = packages.get(home.namespace) ?? new PackageFacts("");
    const names =
      direction === "used"
        ? providersFor(own, packages)
        : dependentsOn(own.packagesAround(path), packages);
    const others = names.filter((name) => name !== home.namespace);
    const opened = await Promise.all(
      others
        .slice(0, MAX_LINKED)
        .map((name) =>
          this.open(asked, name).catch((thrown: unknown) => ({ name, error: toSvcError(thrown) })),
        ),
    );
    const found = [home, ...opened.flatMap((one) => ("error" in one ? [] : [one]))];
    const rest = others.length - MAX_LINKED;
    const unread = opened.flatMap((one) =>
      "error" in one ? [`"${one.name}" was not searched: ${one.error.detail}`] : [],
    );
    const left = rest > 0 ? [`${rest} more namespaces were not searched; name fewer.`] : [];
    const projects = await this.#projectsOf(found, packages);
    const used = new Map(
      found.flatMap(({ namespace }) => {
        const facts = packages.get(namespace);
        return facts === undefined ? [] : [[namespace, facts] as const];
      }),
    );
    return {
      projects,
      packages: used,
      graph: new LinkedGraph(projects, used),
      reader: new MultiReader(found),
      texts: multiTexts(
        new Map(found.map((index) => [index.namespace as string, this.#parts.textsOf(index)])),
      ),
      indexes: new Map(found.map((index) => [index.namespace as string, index])),
      missing: [...missing, ...unread, ...left],
    };
  }

  /** The graphs of these versions of indexes are kept for the next question about them. */
  #projectsOf(
    indexes: readonly OpenIndex[],
    packages: ReadonlyMap<string, PackageFacts>,
  ): Promise<LinkedProjects> {
    const facts = indexes.map(({ namespace }) => packages.get(namespace));
    const key = JSON.stringify(indexes.map(({ namespace, reader }) => [namespace, reader.version]));
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    let projects = known?.facts.every((one, at) => one === facts[at]) ? known.projects : undefined;
    projects ??= this.#openProjects(indexes, packages);
    this.#kept.set(key, { projects, facts });
    projects.catch(() => this.#kept.delete(key));
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= MAX_KEPT) break;
      this.#kept.delete(oldest);
    }
    return projects;
  }

  async #openProjects(
    indexes: readonly OpenIndex[],
    packages: ReadonlyMap<string, PackageFacts>,
  ): Promise<LinkedProjects> {
    const projects = await Promise.all(
      indexes.map(async (index): Promise<LinkedProject> => {
        const { namespace } = index;
        // No call can cancel this reader.
        const reader: IndexReader =
          (await index.revision?.reader()) ?? (await this.#parts.indexes.anyReader(namespace));
        return {
          name: namespace,
          isInstalled: this.#parts.namespaces.isDependency(index.sources),
          reader,
          packages: packages.get(namespace) ?? new PackageFacts(""),
          readFile: await this.#parts.configOf(index),
        };
      }),
    );
    return LinkedProjects.open(projects);
  }

  async #workspaceFirst(
    names: readonly AuthorizedNamespace[],
  ): Promise<readonly AuthorizedNamespace[]> {
    const own = await this.#parts.namespaces.ofWorkspace();
    return names.toSorted((one, other) => Number(other === own) - Number(one === own));
  }
}
