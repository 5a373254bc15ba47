import { request, type Project } from "./project.ts";
import { tree } from "./tree.ts";

/** Indexes folders with these files as namespaces of a project, by name. Returns a function that removes the folders. */
export async function indexNamespaces(
  { engine }: Pick<Project, "engine">,
  namespaces: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<() => void> {
  const trees = Object.entries(namespaces).map(([namespace, files]) => ({
    namespace,
    ...tree(files),
  }));
  for (const { namespace, path } of trees) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await engine.index({ ...request(), namespace, source: path });
  }
  return () => {
    for (const { dispose } of trees) dispose();
  };
}
