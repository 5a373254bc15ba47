// The flags that say which namespaces a search covers.

import { SvcError } from "../base/errors.ts";
import { namespaceListOf, namespaceListText } from "../sources/namespace-list.ts";
import type { BooleanFlag, StringFlag } from "./flag-definition.ts";

export const SCOPE_FLAGS = {
  namespace: {
    type: "string",
    placeholder: "NS",
    description: "Search this namespace, or several: NS,NS.",
  } as const satisfies StringFlag,
  all: {
    type: "boolean",
    description: "Search all namespaces together.",
  } as const satisfies BooleanFlag,
  dependencies: {
    type: "boolean",
    description: "Search the indexed dependencies too (see `svc index --dependencies`).",
  } as const satisfies BooleanFlag,
};

/**
 * Returns what the flags name, as `SearchRequest.namespace`; undefined for the project around the working directory.
 * `openProject` adds dependencies. Throws USAGE for `--all` with a namespace, and for a PATH where several are searched.
 */
export function searchScope(
  {
    namespace,
    all,
    dependencies = false,
  }: {
    readonly namespace: string | undefined;
    readonly all: boolean;
    readonly dependencies?: boolean;
  },
  path: string | undefined,
): string | undefined {
  if (all && namespace !== undefined) {
    throw new SvcError("USAGE", "--all and --namespace cannot be used together.", {
      hint: "Use --all for every namespace, or name some: --namespace gin,flask.",
    });
  }
  const scope = all ? namespaceListText("all") : namespace;
  if (path !== undefined && (dependencies || namespaceListOf(scope) !== undefined)) {
    throw new SvcError("USAGE", "PATH limits a search to one project.", {
      hint: "Leave PATH out, or select files of all projects with --path GLOB.",
    });
  }
  return scope;
}
