import { accessSync, constants, statSync } from "node:fs";

import { toFilePath } from "../base/path-bytes.ts";
import { cloneAt, commitOf, isCloneUnfinished } from "../sources/clones.ts";
import type { Source } from "../sources/registry.ts";
import type { Check } from "./examination.ts";
import { counted, type Finding, quoted, type Teller, teller } from "./finding.ts";
import { indexCommand, type ListedNamespace } from "./inventory.ts";

const CHECK = "sources";

/** The folders that are indexed are there and can be read, and the last look at them went well. */
export const checkSources: Check = {
  name: CHECK,
  run(_examination, { namespaces }) {
    return namespaces.flatMap((namespace) => {
      const tell = teller(CHECK, namespace.name);
      const findings = [
        ...namespace.sources.flatMap((source) => problemOf(source, namespace.name, tell)),
        ...lastRun(namespace, tell),
      ];
      if (findings.length > 0) return findings;
      const at = namespace.lastRun?.endedAt ?? "never";
      return [tell.ok(`${counted(namespace.sources.length, "source")}, last looked at ${at}`)];
    });
  },
};

function problemOf(source: Source, namespace: string, tell: Teller): readonly Finding[] {
  const { root, url } = source;
  if (url !== undefined) return cloneProblem(source, url, { namespace, tell });
  const stat = statSync(toFilePath(root), { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) {
    const mend = `Bring it back (a drive may not be mounted), or run \`svc index --remove ${quoted(root)} --namespace ${namespace}\`.`;
    return [tell.failed(`the folder ${root} is gone; what it held is still found`, mend)];
  }
  try {
    accessSync(toFilePath(root), constants.R_OK | constants.X_OK);
    return [];
  } catch {
    return [tell.failed(`${root} may not be read`, `Run \`chmod u+rx ${quoted(root)}\`.`)];
  }
}

function cloneProblem(
  { root, ref }: Source,
  url: string,
  { namespace, tell }: { readonly namespace: string; readonly tell: Teller },
): readonly Finding[] {
  if (commitOf(root) !== undefined && !isCloneUnfinished(cloneAt(root))) return [];
  const address = quoted(ref === undefined ? url : `${url}#${ref}`);
  return [
    tell.failed(
      `${url} is being fetched, or that was broken off`,
      `Run \`svc index ${address} --namespace ${namespace}\`.`,
    ),
  ];
}

function lastRun(namespace: ListedNamespace, tell: Teller): readonly Finding[] {
  const { lastRun: run } = namespace;
  if (run === undefined) return [];
  const again = `Run \`${indexCommand(namespace)}\`.`;
  if (run.problem !== undefined) {
    return [tell.failed(`the last run (${run.endedAt}) failed: ${run.problem}`, again)];
  }
  return run.warnings.map((each) => tell.warning(`the last run (${run.endedAt}): ${each}`, again));
}
