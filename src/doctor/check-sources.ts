import { counted } from "../base/amounts.ts";
import { statSync } from "node:fs";

import { toFilePath } from "../base/path-bytes.ts";
import { cloneAt, checkedOutCommit, isCloneUnfinished } from "../sources/clones.ts";
import { repositoryProblem } from "../sources/git.ts";
import type { Source } from "../sources/registry/records.ts";
import { requireRoot, RootChanged } from "../sources/source-root.ts";
import type { Check } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { type Finding, type Reporter, createReporter } from "./finding.ts";
import { indexCommand, type ListedNamespace } from "./inventory.ts";

const CHECK = "sources";

/** The indexed folders exist and are readable, and the last run succeeded. */
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
      return [reporter.ok(`${counted(namespace.sources.length, "source")}, last checked ${at}`)];
    });
  },
};

function problemOf(source: Source, namespace: string, reporter: Reporter): readonly Finding[] {
  const { root, url } = source;
  if (url !== undefined) return cloneProblem(source, url, { namespace, reporter });
  try {
    requireRoot(source);
    const problem = repositoryProblem(source);
    return problem === undefined
      ? []
      : [reporter.warning(`${root}: ${problem.detail}`, problem.hint)];
  } catch (thrown) {
    if (thrown instanceof RootChanged) return [reporter.failed(thrown.message, thrown.hint)];
  }
  const stat = statSync(toFilePath(root), { throwIfNoEntry: false });
  if (stat?.isDirectory() !== true) {
    const fix = `Bring it back (a drive may not be mounted), or run \`svc index --remove ${quoted(root)} --namespace ${namespace}\`.`;
    return [
      reporter.failed(`the folder ${root} does not exist; searches still find its old files`, fix),
    ];
  }
  return [reporter.failed(`${root} is not readable`, `Run \`chmod u+rx ${quoted(root)}\`.`)];
}

function cloneProblem(
  { root, ref }: Source,
  url: string,
  { namespace, reporter }: { readonly namespace: string; readonly reporter: Reporter },
): readonly Finding[] {
  if (checkedOutCommit(root) !== undefined && !isCloneUnfinished(cloneAt(root))) return [];
  const address = quoted(ref === undefined ? url : `${url}#${ref}`);
  return [
    reporter.failed(
      `${url} is being fetched, or the fetch was interrupted`,
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
