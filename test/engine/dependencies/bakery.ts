import { onTestFinished } from "vitest";

import type { DependencyReport, DependencyOption } from "../../../src/engine/api/dependencies.ts";
import { createProject, request, type Project } from "../../helpers/project.ts";
import { BAKERY } from "./installed-files.ts";

/** A project with installed packages; nothing is indexed yet. */
export function bakery(files: Readonly<Record<string, string>> = BAKERY): Project {
  const project = createProject(files);
  onTestFinished(project.dispose);
  return project;
}

/** Indexes the project and, if requested, its dependencies. */
export async function update(
  { engine, root }: Pick<Project, "engine" | "root">,
  dependencies: DependencyOption,
  namespace = "bakery",
): Promise<DependencyReport | undefined> {
  const result = await engine.index({ ...request(), source: root, namespace, dependencies });
  return result.dependencies;
}
