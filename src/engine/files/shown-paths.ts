// Which files of a commit are shown: those that the owner of the index and the project have not excluded, by their names.

import {
  enterFilters,
  excludeFile,
  excludeFolder,
  kindFilter,
  rootFilters,
} from "../../scan/walk-filters.ts";
import { skipReasonOfPath } from "../../scan/name-rules.ts";
import { sourceOfPath } from "../../sources/text/source-of-path.ts";
import type { ConfiguredSource } from "../indexing/project-settings.ts";

/**
 * Returns which paths are shown. Names of secrets are not, nor what the globs of the owner and the current `.svc.toml` exclude.
 * Files of rules (`.gitignore`, `.svcignore`) do not count: a commit has the files that it has.
 */
export function shownPaths(sources: readonly ConfiguredSource[]): (path: string) => boolean {
  const rules = new Map(
    sources.map(({ id, include, exclude, project }) => [
      id,
      {
        filters: rootFilters([{ include, exclude }, project?.filter ?? {}]),
        isOfKind: kindFilter(project?.filter),
      },
    ]),
  );
  return (path) => {
    const place = sourceOfPath(sources, path);
    const rule = place && rules.get(place.source.id);
    if (rule === undefined || skipReasonOfPath(path) !== undefined) return false;
    if (rule.isOfKind?.(path) === false) return false;
    let { filters } = rule;
    const folders = place?.relative.split("/") ?? [];
    const name = folders.pop() ?? "";
    for (const folder of folders) {
      if (excludeFolder(filters, folder)) return false;
      filters = enterFilters(filters, folder);
    }
    return !excludeFile(filters, name);
  };
}
