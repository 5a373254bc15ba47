// Reads `.svc.toml` in the root of a source. It comes with the tree, so it only narrows what the owner indexes.

import { join } from "node:path";

import { SvcError } from "../../base/errors.ts";
import { readRuleFile } from "../../scan/rule-file.ts";
import { PROJECT_SETTINGS_FILE, type ProjectFilter } from "../../scan/walk-filters.ts";
import { realOrSame } from "../../sources/confined-path.ts";
import type { Source } from "../../sources/registry/records.ts";
import type { SuggestName } from "../../sources/registry/registry.ts";
import { rootProblem } from "../../sources/source-root.ts";

/** What a project says of its own index. */
export interface ProjectSettings {
  readonly filter: ProjectFilter;
  /** A name for the namespace that its first index creates. */
  readonly namespace?: string;
  /** What is wrong with the file, as sentences for people. */
  readonly warnings: readonly string[];
}

/** A source with the current settings of its project. */
export interface ConfiguredSource extends Source {
  readonly project?: ProjectSettings | undefined;
}

/** A larger file is not used. */
const LIMIT_BYTES = 16_384;

/**
 * Returns the settings in the root of a source; undefined without the file. An unusable file has no settings, only a
 * warning. Throws INDEX_UNAVAILABLE if the machine fails to read it, because the index would get the files it excludes.
 */
export async function projectSettings(root: string): Promise<ProjectSettings | undefined> {
  const path = join(root, PROJECT_SETTINGS_FILE);
  const read = readRuleFile([realOrSame(root)], path, LIMIT_BYTES);
  if (read === undefined) return undefined;
  if ("bytes" in read) {
    const { parseProjectSettings } = await import("./parse-project-settings.ts");
    return parseProjectSettings(path, Buffer.from(read.bytes, "latin1"));
  }
  if (read.isFault) throw new SvcError("INDEX_UNAVAILABLE", `"${path}" ${read.why}.`);
  const warning = `"${path}" ${read.why}, so svc does not use it; replace it with a readable file, or remove it.`;
  return { filter: {}, warnings: [warning] };
}

/** Adds the settings of their projects to the sources, less those of a root that another folder has replaced. */
export function withProjectSettings(
  sources: readonly Source[],
): Promise<readonly ConfiguredSource[]> {
  return Promise.all(
    sources.map(async (source) => {
      if (rootProblem(source) !== undefined) return source;
      const project = await projectSettings(source.root);
      return project === undefined ? source : { ...source, project };
    }),
  );
}

/** The name that the project at a root suggests for its new namespace. */
export const suggestedNamespace: SuggestName = async (root) =>
  (await projectSettings(root))?.namespace;
