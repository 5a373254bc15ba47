import { statSync } from "node:fs";

import { toFilePath } from "../base/path-bytes.ts";
import { cloneAt, checkedOutCommit, isCloneUnfinished } from "../sources/clones.ts";
import { repositoryProblem } from "../sources/git.ts";
import type { Source } from "../sources/registry.ts";
import { requireRoot, RootChanged } from "../sources/source-root.ts";
import type { Check } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { counted, type Finding, type Reporter, createReporter } from "./finding.ts";
import { indexCommand, type ListedNamespace } from "./inventory.ts";

const CHECK = "sources";

/** The folders that are indexed are there and can be read, and the last look at them went well. */
export const checkSources: Check = {
  name: CHECK,
  run(_examination, { namespaces }) {
    return namespaces.flatMap((namespace) => {
      const reporter = createReporter(CHECK, namespace.name);
      const findings = [
        ...namespace.sources.flatMap((source) => problemOf(source, namespace.name, reporter)),
        ...lastRun(namespace, reporter),
      ];
      if (findings.length > 0) return findings;
      const at = namespace.lastRun?.endedAt ?? "never";
      return [reporter.ok(`${counted(namespace.sources.length, "source")}, last looked at ${at}`)];
    });
  },
};

function problemOf(source: Source, namespace: string, tell: Reporter): readonly Finding[] {
  const { root, url } = source;
  if (url !== undefined) return cloneProblem(source, url, { namespace, tell });
  try {
    requireRoot(source);
    const problem = repositoryProblem(source);
    return problem === undefined ? [] : [tell.warning(`${root}: ${problem.detail}`, problem.hint)];
  } catch (thrown) {
    if (thrown instanceof RootChanged) return [tell.failed(thrown.message, thrown.hint)];
  }
  const stat = statSync(toFilePath(root), { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) {
    const fix = `Bring it back (a drive may not be mounted), or run \`svc index --remove ${quoted(root)} --namespace ${namespace}\`.`;
    return [tell.failed(`the folder ${root} is gone; what it held is still found`, fix)];
  }
  return [tell.failed(`${root} may not be read`, `Run \`chmod u+rx ${quoted(root)}\`.`)];
}

function cloneProblem(
  { root, ref }: Source,
  url: string,
  { namespace, tell }: { readonly namespace: string; readonly tell: Reporter },
): readonly Finding[] {
  if (checkedOutCommit(root) !== undefined && !isCloneUnfinished(cloneAt(root))) return [];
  const address = quoted(ref === undefined ? url : `${url}#${ref}`);
  return [
    tell.failed(
      `${url} is being fetched, or that was broken off`,
      `Run \`svc index ${address} --namespace ${namespace}\`.`,
    ),
  ];
}

function lastRun(namespace: ListedNamespace, reporter: Reporter): readonly Finding[] {
  const { lastRun: run } = namespace;
  if (run === undefined) return [];
  const retryCommand = `Run \`${indexCommand(namespace)}\`.`;
  if (run.problem !== undefined) {
    return [reporter.failed(`the last run (${run.endedAt}) failed: ${run.problem}`, retryCommand)];
  }
  return run.warnings.map((each) =>
    reporter.warning(`the last run (${run.endedAt}): ${each}`, retryCommand),
  );
}
