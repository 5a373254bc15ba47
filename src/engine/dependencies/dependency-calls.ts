// The calls of the engine about dependencies. Their code is loaded only for a project that has dependencies or requests
// them.

import { existsSync } from "node:fs";

import { packageFoldersIn } from "../../config/package-folders.ts";
import { dependenciesDirectory } from "../../sources/dependency-folders.ts";
import { namespaceListOf } from "../../sources/namespace-list.ts";
import type { Engine } from "../api/engine.ts";
import type { EngineOptions } from "../engine-options.ts";
import type { Namespaces } from "../namespaces.ts";
import type { SourceService } from "../indexing/source-service.ts";
import type { DependencyService } from "./dependency-service.ts";
import { ProjectRecords } from "./project-records.ts";

type ServiceParts = ConstructorParameters<typeof DependencyService>[0];

interface DependencyCallsParts extends Pick<ServiceParts, "backend" | "runs"> {
  readonly namespaces: Pick<Namespaces, "registry" | "state" | "authorize" | "visible">;
  readonly sources: Pick<SourceService, "index" | "removeNamespace">;
}

/** Returns the calls of the engine that know of dependencies. */
export function dependencyCalls(
  { dataDirectory, home, packageFolders }: EngineOptions,
  { sources, ...parts }: DependencyCallsParts,
): Pick<Engine, "index" | "removeNamespace" | "dependencies"> {
  const records = new ProjectRecords(dataDirectory);
  const hasAny = (): boolean => existsSync(dependenciesDirectory(dataDirectory));
  let loaded: Promise<DependencyService> | undefined;
  const load = (): Promise<DependencyService> => {
    loaded ??= import("./dependency-service.ts").then(
      (module) =>
        new module.DependencyService({
          ...parts,
          dataDirectory,
          folders: packageFolders ?? packageFoldersIn({}, home),
          remove: sources.removeNamespace,
        }),
    );
    return loaded;
  };
  return {
    index: async (request) => {
      const result = await sources.index(request);
      const { dependencies: option, principal, signal, onDependencies } = request;
      if (option === undefined || result.report?.outcome !== "done") return result;
      if (option === "keep" && !hasAny()) return result;
      const { namespace } = result;
      const update = { namespace, principal, signal, onProgress: onDependencies };
      const dependencies = await (await load()).update(update, option);
      return dependencies === undefined ? result : { ...result, dependencies };
    },
    removeNamespace: async (request) => {
      await sources.removeNamespace(request);
      // Others may not remove namespaces of packages; the next index of the owner does.
      if (hasAny() && request.principal.isUnrestricted)
        await (await load()).projectRemoved(request);
    },
    dependencies: async ({ principal, namespace }) => {
      const list = namespaceListOf(namespace) ?? [namespace];
      const projects = list === "all" ? await parts.namespaces.visible({ principal }) : list;
      const names = await Promise.all(
        projects.map((name) => parts.namespaces.authorize({ principal }, name)),
      );
      const state = await parts.namespaces.state();
      return [...new Set(names.flatMap((name) => records.namespacesOf(name, state)))].filter(
        (name) => principal.canAccess(name),
      );
    },
  };
}
