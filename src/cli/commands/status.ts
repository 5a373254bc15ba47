import { counted, sizeText } from "../../base/amounts.ts";
import type { NamespaceStatus } from "../../engine/api/status.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { dependenciesText, scipText, startText } from "../../tools/indexing/status-text.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";
import { createStyle } from "../print/style.ts";
import { describeToken, tokenInUse } from "../token-in-use.ts";

/** A line on a terminal has room for some. */
const MAX_NAMED_DEPENDENCIES = 4;

export const command = defineCommand({
  description:
    "Shows each namespace with its sources, size and freshness, and how many files were skipped for which reason. Also shows which access token `svc mcp` uses here and when it expires.",
  flags: {
    namespace: { type: "string", placeholder: "NS", description: "Only this namespace." },
    skipped: {
      type: "boolean",
      description: "List skipped files, and files indexed without a grammar.",
    },
    verify: { type: "boolean", description: "Read the whole index and verify its checksums." },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc status --skipped",
      description: "List files that svc does not search, with reasons.",
    },
  ],
  async run({ flags }, { app, io, signal }) {
    const engine = await app.engine();
    const namespaces = await engine.status({
      namespace: flags.namespace,
      detail: flags.verify ? "health" : flags.skipped ? "skipped" : "summary",
      principal: app.owner,
      signal,
    });
    const token = await tokenInUse(app, app.settings.token);
    if (flags.json) {
      printJson(io, token === null ? { namespaces } : { namespaces, token });
      return;
    }
    if (namespaces.length === 0) {
      io.out("Nothing is indexed yet. Run `svc index DIR`.\n");
    } else {
      const { bold } = createStyle(io.color);
      io.out(namespaces.map((one) => safeText(describe(one)).replace(one.name, bold)).join("\n"));
    }
    if (token !== null) io.out(safeText(`\n${describeToken(token)}\n`));
  },
});

function describe(status: NamespaceStatus): string {
  const lines = [
    `${status.name}  ${status.state}${progressOf(status)}`,
    ...status.sources.flatMap(describeSource),
    `  ${counted(status.files, "file")}, ${sizeText(status.bytes)}, ${counted(status.chunks, "chunk")}, ${counted(status.symbols, "symbol")}`,
    `  generation ${status.generation}${status.indexed_at === null ? "" : `, ${status.indexed_at}`}`,
  ];
  if (isInterrupted(status)) lines.push("  Indexing was interrupted; run `svc index` to continue.");
  lines.push(`  ${freshnessOf(status)}`);
  if (status.last_run !== null && status.looked_at !== null) {
    const { by, process, problem, warnings } = status.last_run;
    lines.push(`  checked ${status.looked_at} (${by}, process ${process})`);
    if (problem !== undefined) lines.push(`  The last run failed: ${problem}`);
    lines.push(...warnings.map((warning) => `  Warning: ${warning}`));
  }
  if (Object.keys(status.skipped).length > 0) {
    lines.push(`  skipped: ${countsOf(status.skipped)}`);
  }
  for (const { path, reason } of status.skipped_files ?? []) lines.push(`    ${reason}  ${path}`);
  if (status.problems !== undefined) {
    lines.push(`  indexed in part: ${countsOf(status.problems)}`);
  }
  for (const { path, reason } of status.problem_files ?? []) lines.push(`    ${reason}  ${path}`);
  lines.push(...describeOrigin(status).map((line) => `  ${line}`));
  if (status.integrity === "ok") {
    lines.push("  The whole index was read: every checksum matches.");
  }
  if (status.problem !== undefined) lines.push(`  ${status.problem}`);
  return `${lines.join("\n")}\n`;
}

/** Describes the parts of the index that do not come from reading the files. */
function describeOrigin({
  scip,
  started_from: start,
  dependencies,
}: NamespaceStatus): readonly string[] {
  return [
    ...(scip === undefined ? [] : [scipText(scip)]),
    ...(start === undefined ? [] : [startText(start)]),
    ...(dependencies === undefined ? [] : [dependenciesText(dependencies, MAX_NAMED_DEPENDENCIES)]),
  ];
}

function countsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, count]) => `${count} ${reason}`)
    .join(", ");
}

function describeSource(source: NamespaceStatus["sources"][number]): readonly string[] {
  const { root, url, ref, commit, fetched_at, available, problem, include, exclude, settings } =
    source;
  const note = available ? "" : "  (not available)";
  const at = ref === undefined ? "" : `#${ref}`;
  const lines = [url === undefined ? `  ${root}${note}` : `  ${url}${at}${note}`];
  if (commit !== undefined) {
    const when = fetched_at === undefined ? "" : `, fetched ${fetched_at}`;
    lines.push(`    commit ${commit.slice(0, 12)}${when}`);
  }
  if (problem !== undefined) lines.push(`    ${problem}`);
  if (include !== undefined) lines.push(`    only ${include.join(", ")}`);
  if (exclude !== undefined) lines.push(`    without ${exclude.join(", ")}`);
  if (settings !== undefined) lines.push(`    narrowed by .svc.toml: ${settings.join(", ")}`);
  return lines;
}

function freshnessOf({ freshness: { mode, pid, folders, problem } }: NamespaceStatus): string {
  switch (mode) {
    case "starting":
      return `process ${pid} is starting to watch the files`;
    case "watched":
      return `watched by process ${pid}, ${counted(folders, "folder")}`;
    case "polled":
      return `not watched; process ${pid} checks the files periodically: ${problem ?? ""}`;
    case "asked":
      return "not watched; files are checked on each query";
    default:
      return mode satisfies never;
  }
}

/** True if indexing is unfinished, and no process indexes or watches. */
function isInterrupted({ state, stages, freshness }: NamespaceStatus): boolean {
  const isUnfinished = stages.some(({ done, total }) => done < total);
  return state === "ready" && isUnfinished && freshness.mode === "asked";
}

function progressOf({ stages }: NamespaceStatus): string {
  return stages
    .filter(({ done, total }) => done < total)
    .map(({ name, done, total }) => ` (${name} ${done}/${total})`)
    .join("");
}
