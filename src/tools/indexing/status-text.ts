// The state of namespaces as a model reads it: the text of index_status. Its data is the structured answer.
import type { NamespaceStatus } from "../../engine/api/status.ts";

const NOTHING_INDEXED =
  "Nothing is indexed yet. index_source indexes a folder or a git repository.";

/** The descriptions of the tools, which every prompt carries, have no room for this. */
const SEVERAL =
  'search_context, search_text and find_symbol search several at once: namespace "a,b", or "*" for all.';

/** A few lines for each namespace, and how to search several. */
export function statusText(namespaces: readonly NamespaceStatus[]): string {
  if (namespaces.length === 0) return NOTHING_INDEXED;
  const [first, ...others] = namespaces;
  const areMany = namespaces.length > MAX_DESCRIBED;
  const lines = [...(first === undefined ? [] : describe(first))]
    .concat(others.flatMap((one) => (areMany && isPlain(one) ? [summary(one)] : describe(one))))
    .map((line) => line.replaceAll(/[\n\r\u2028\u2029]+/g, " "));
  const areSeveral =
    namespaces.length > 1 || namespaces.some(({ dependencies }) => dependencies !== undefined);
  return [...lines, ...(areSeveral ? [SEVERAL] : [])].join("\n");
}

/** With more namespaces, those after the first that need no attention have a line each. */
const MAX_DESCRIBED = 3;

function isPlain({ state, problem, last_run }: NamespaceStatus): boolean {
  return state === "ready" && problem === undefined && last_run?.problem === undefined;
}

/** "api: ready, 1297 files, /home/me/src/api" */
function summary({ name, state, files, sources }: NamespaceStatus): string {
  const roots = sources.map(({ url, root }) => url ?? root);
  return [`${name}: ${state}`, `${files} files`, ...roots].join(", ");
}

function describe(status: NamespaceStatus): readonly string[] {
  const { name, state, generation, files, chunks, symbols, bytes, indexed_at } = status;
  const indexed = indexed_at === null ? "" : `, indexed ${indexed_at}`;
  const { last_run } = status;
  return [
    `${name}: ${state}${progressOf(status)}, generation ${generation}${indexed}`,
    `  ${files} files, ${(bytes / 1e6).toFixed(1)} MB, ${chunks} chunks, ${symbols} symbols`,
    ...status.sources.map(sourceText),
    `  ${freshnessText(status)}`,
    ...(last_run?.problem === undefined ? [] : [`  The last run failed: ${last_run.problem}`]),
    ...(last_run?.warnings ?? []).map((warning) => `  Warning: ${warning}`),
    ...listText("left out", status.skipped, status.skipped_files),
    ...listText("indexed in part", status.problems, status.problem_files),
    ...(status.scip === undefined ? [] : [`  ${scipText(status.scip)}`]),
    ...(status.started_from === undefined ? [] : [`  ${startText(status.started_from)}`]),
    ...(status.dependencies === undefined
      ? []
      : [`  ${dependenciesText(status.dependencies, MAX_NAMED_DEPENDENCIES)}`]),
    ...(status.integrity === "ok" ? ["  The whole index was read: every checksum matches."] : []),
    ...(status.problem === undefined ? [] : [`  ${status.problem}`]),
  ];
}

/** "SCIP: 812 of 840 files current (scip-typescript 0.4.0)". */
export function scipText({ files, current, tools }: NonNullable<NamespaceStatus["scip"]>): string {
  const by = tools.length === 0 ? "" : ` (${tools.join(", ")})`;
  return `SCIP: ${current} of ${files} files current${by}`;
}

/** Names that a model can then use; it can guess the others. */
const MAX_NAMED_DEPENDENCIES = 40;

const COUNT = new Intl.NumberFormat("en-US");

/** "Started from the index of linux: 78,102 of 78,475 files were the same." */
export function startText({
  namespace,
  same,
  files,
}: NonNullable<NamespaceStatus["started_from"]>): string {
  const [taken, all] = [COUNT.format(same), COUNT.format(files)];
  return `Started from the index of ${namespace}: ${taken} of ${all} files were the same.`;
}

/** "42 dependencies, searched by name: npm-undici-6.21.0, … and 40 more". */
export function dependenciesText(names: readonly string[], limit: number): string {
  const rest = names.length - limit;
  const more = rest > 0 ? ` and ${rest} more` : "";
  const count = names.length === 1 ? "1 dependency" : `${names.length} dependencies`;
  return `${count}, searched by name: ${names.slice(0, limit).join(", ")}${more}`;
}

/** " (words 120/400)" while there is something to do. */
function progressOf({ stages }: NamespaceStatus): string {
  const open = stages.filter(({ done, total }) => done < total);
  if (open.length === 0) return "";
  return ` (${open.map(({ name, done, total }) => `${name} ${done}/${total}`).join(", ")})`;
}

function sourceText(source: NamespaceStatus["sources"][number]): string {
  const { root, url, ref, commit, available, problem, include, exclude, settings } = source;
  const at = ref === undefined ? "" : `#${ref}`;
  const parts = [
    `  source ${url === undefined ? root : `${url}${at}`}`,
    ...(commit === undefined ? [] : [`commit ${commit.slice(0, 12)}`]),
    ...(include === undefined ? [] : [`only ${include.join(" ")}`]),
    ...(exclude === undefined ? [] : [`without ${exclude.join(" ")}`]),
    ...(settings === undefined ? [] : [`narrowed by .svc.toml: ${settings.join(" ")}`]),
    ...(available ? [] : ["not available"]),
    ...(problem === undefined ? [] : [problem]),
  ];
  return parts.join(", ");
}

function freshnessText({ freshness: { mode, problem } }: NamespaceStatus): string {
  switch (mode) {
    case "starting":
      return "The files are about to be watched.";
    case "watched":
      return "The files are watched: the index follows each change.";
    case "polled":
      return `The files cannot be watched and are compared with the index periodically: ${problem ?? ""}`;
    case "asked":
      return "The files are not watched; they are compared with the index on each query.";
    default:
      return mode satisfies never;
  }
}

/** The count for each reason; the files too where they were asked for. */
function listText(
  title: string,
  counts: Readonly<Record<string, number>> | undefined,
  files: readonly { readonly path: string; readonly reason: string }[] | undefined,
): readonly string[] {
  const reasons = Object.entries(counts ?? {});
  if (reasons.length === 0) return [];
  const line = `  ${title}: ${reasons.map(([reason, count]) => `${count} ${reason}`).join(", ")}`;
  if (files === undefined) return [line];
  const total = reasons.reduce((sum, [, count]) => sum + count, 0);
  const rest = total - files.length;
  return [
    line,
    ...files.map(({ path, reason }) => `    ${reason} ${path}`),
    ...(rest > 0 ? [`    and ${rest} more files`] : []),
  ];
}
