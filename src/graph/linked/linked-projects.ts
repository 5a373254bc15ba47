// The reference graphs of several projects, in which an import of a package leads to the project that defines it. Paths
// begin with the name of their project.

import type { FileTree, IndexReader } from "../../index/port.ts";
import { ModuleResolver } from "../modules/module-resolver.ts";
import type { Importer, ModuleTarget } from "../modules/module-target.ts";
import { packageKey, type DefinedPackage, type PackageFacts } from "../packages/package-facts.ts";
import { ReferenceGraph } from "../reference-graph.ts";
import { ResolutionContext } from "../resolution-context.ts";
import { LinkedModules } from "./linked-modules.ts";
import { ecosystemOf, moduleInPackage, modulesOfPackage } from "./package-imports.ts";
import { prefixedReader } from "./prefixed-reader.ts";

/** A project with what its graph is made of. */
export interface LinkedProject {
  /** Has no slash. */
  readonly name: string;
  /** Whether it is a package as it was installed: then its declaration files say what it exports, not its build output. */
  readonly isInstalled?: boolean;
  readonly reader: IndexReader;
  readonly packages: PackageFacts;
  /** Returns the text of a config file, or undefined if it does not exist. */
  readonly readFile: (path: string) => string | undefined;
}

/** A package that one project depends on and another one defines. */
interface Link {
  readonly project: Part;
  readonly definition: DefinedPackage;
  /** Names of the modules of a Python package. */
  readonly modules: ReadonlySet<string>;
}

interface Part {
  readonly project: LinkedProject;
  readonly prefix: string;
  readonly tree: FileTree;
  readonly own: ModuleResolver;
  readonly modules: LinkedModules;
  readonly graph: ReferenceGraph;
}

/** Resolves names across projects. */
export class LinkedProjects {
  readonly #parts = new Map<string, Part>();
  readonly #links = new Map<Part, readonly Link[]>();

  /** Throws what reading the list of files throws. */
  static async open(projects: readonly LinkedProject[]): Promise<LinkedProjects> {
    const linked = new LinkedProjects();
    const trees = await Promise.all(projects.map(({ reader }) => reader.fileTree()));
    for (const [at, project] of projects.entries()) {
      const tree = trees[at];
      if (tree !== undefined) linked.#add(project, tree);
    }
    const defined = new Map<string, Link[]>();
    for (const [at, { name, packages }] of projects.entries()) {
      const [project, tree] = [linked.#parts.get(name), trees[at]];
      if (project === undefined || tree === undefined) continue;
      for (const definition of packages.defined) {
        const key = packageKey(definition);
        const modules = modulesOfPackage(definition, tree);
        defined.set(key, [...(defined.get(key) ?? []), { project, definition, modules }]);
      }
    }
    for (const part of linked.#parts.values()) {
      const links = [...part.project.packages.requiredKeys].flatMap(
        (key) => defined.get(key)?.filter(({ project }) => project !== part) ?? [],
      );
      // `example.com/a/b` is a module of its own, not a folder of `example.com/a`.
      links.sort((one, two) => two.definition.name.length - one.definition.name.length);
      linked.#links.set(part, links);
    }
    return linked;
  }

  /** Returns the graph of a project; undefined if it is not one of these. */
  graphOf(name: string): ReferenceGraph | undefined {
    return this.#parts.get(name)?.graph;
  }

  /** Yields the files of a project. */
  *filesOf(name: string): Generator<string> {
    const part = this.#parts.get(name);
    const folders = part === undefined ? [] : [""];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      const inner = folder === "" ? "" : `${folder}/`;
      for (const file of part?.tree.filesIn(folder) ?? []) yield `${name}/${inner}${file}`;
      for (const one of part?.tree.foldersIn(folder) ?? []) folders.push(inner + one);
    }
  }

  #add(project: LinkedProject, tree: FileTree): void {
    const prefix = `${project.name}/`;
    const own = new ModuleResolver({ tree, read: project.readFile });
    const modules = new LinkedModules({
      own,
      prefix,
      elsewhere: (importer, module) => this.#find(project.name, importer, module),
      rulesOf: (path) => this.#partOf(path)?.modules,
    });
    const context = new ResolutionContext(prefixedReader(project.reader, prefix), modules, (path) =>
      path.startsWith(prefix) ? undefined : this.#partOf(path)?.graph.project,
    );
    const graph = new ReferenceGraph(context);
    this.#parts.set(project.name, { project, prefix, tree, own, modules, graph });
  }

  #partOf(path: string): Part | undefined {
    return this.#parts.get(path.slice(0, path.indexOf("/")));
  }

  /** Looks in the projects whose packages the importing one depends on, longest name first. */
  #find(name: string, importer: Importer, module: string): ModuleTarget | undefined {
    const part = this.#parts.get(name);
    const ecosystem = ecosystemOf(importer.language);
    for (const link of (part && this.#links.get(part)) ?? []) {
      const { definition, project, modules } = link;
      if (part === undefined || definition.ecosystem !== ecosystem) continue;
      const wanted = moduleInPackage(module, definition, part.project.packages, {
        modules,
        isInstalled: project.project.isInstalled === true,
      });
      if (wanted === undefined) continue;
      // The importer is in no folder of that project.
      const outside = {
        ...importer,
        path: outsidePath(importer, project.project),
        package: "",
      };
      const target = project.own.resolve(outside, wanted);
      if (target.files.length === 0) continue;
      return { ...target, files: target.files.map((path) => project.prefix + path) };
    }
    return undefined;
  }
}

/** A path at the root, with the extension of the importer, by which a declaration file may be preferred. */
function outsidePath(
  { path, language }: Importer,
  { isInstalled }: Pick<LinkedProject, "isInstalled">,
): string {
  if (isInstalled === true && ecosystemOf(language) === "npm") return "outside.d.ts";
  return `outside-${language}${/\.\w+$/.exec(path)?.[0] ?? ""}`;
}
