// The text of a finished run of `svc index`.
import { counted, sizeText } from "../../base/amounts.ts";
import { groupedDigits } from "../../base/grouped-digits.ts";
import type { IndexResult, RefusedDocuments } from "../../engine/api/index-source.ts";
import { scipText, startText } from "../../tools/indexing/status-text.ts";
import { dependenciesSummary } from "./dependencies.ts";
import { safeText } from "./safe-text.ts";

/** Several lines, each with its line end; empty without a run. */
export function indexSummary({
  namespace,
  source,
  report,
  status,
  refused,
  fetchedBytes,
  dependencies,
}: IndexResult): string {
  if (report === undefined) return "";
  const { added, changed, removed, unchanged, elapsedMs } = report;
  const skipped = Object.values(status.skipped).reduce((sum, count) => sum + count, 0);
  const seconds = (elapsedMs / 1000).toFixed(elapsedMs < 10_000 ? 2 : 0);
  return safeText(
    [
      `Indexed ${source} as "${namespace}" in ${seconds} s.`,
      `${counted(status.files, "file")} (${sizeText(status.bytes)}), ${counted(status.chunks, "chunk")}, ${counted(status.symbols, "symbol")}; ${counted(skipped, "file")} skipped.`,
      `${groupedDigits(added)} added, ${groupedDigits(changed)} changed, ${groupedDigits(removed)} removed, ${groupedDigits(unchanged)} unchanged.`,
      ...(fetchedBytes === undefined ? [] : [fetchedText(fetchedBytes)]),
      ...(report.isStarted === true && status.started_from !== undefined
        ? [startText(status.started_from)]
        : []),
      ...(refused === undefined || status.scip === undefined ? [] : [`${scipText(status.scip)}.`]),
      ...dependenciesSummary(dependencies),
      "",
    ].join("\n"),
  );
}

/** "3 documents of the SCIP index are not used (not indexed by svc): a.ts, b.ts, c.ts". */
export function refusedText({ reason, documents }: RefusedDocuments): string {
  const shown = documents.slice(0, 3).map((path) => `"${path}"`);
  const more =
    documents.length > shown.length ? ` and ${documents.length - shown.length} more` : "";
  return `${counted(documents.length, "document")} of the SCIP index not used (${reason}): ${shown.join(", ")}${more}.`;
}

function fetchedText(bytes: number): string {
  if (bytes === 0) return "The server's index has nothing new.";
  return `Fetched ${sizeText(bytes)} of the server's index.`;
}
