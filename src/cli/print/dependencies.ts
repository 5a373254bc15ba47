// The output of `svc index` about the packages that a project depends on.

import { counted } from "../../base/amounts.ts";
import type { DependencyReport } from "../../engine/api/dependencies.ts";

/** Maximum packages that a line names. */
const MAX_NAMED = 8;

/** Lines without line ends; none without a report. */
export function dependenciesSummary(report: DependencyReport | undefined): readonly string[] {
  if (report === undefined) return [];
  const { namespaces, added, removed, leftOut, isForgotten, elapsedMs } = report;
  const gone = removed === 0 ? "" : ` ${counted(removed, "index", "indexes")} removed.`;
  if (isForgotten) return [`Its dependencies are no longer indexed.${gone}`];
  const seconds = (elapsedMs / 1000).toFixed(elapsedMs < 10_000 ? 2 : 0);
  const shared = namespaces.length - added;
  const parts = [
    ...(added > 0 ? [`${added} new`] : []),
    ...(shared > 0 ? [`${shared} indexed before`] : []),
  ];
  const how = parts.length === 0 ? "" : `: ${parts.join(", ")}, in ${seconds} s`;
  return [
    `${counted(namespaces.length, "dependency", "dependencies")}${how}.${gone}`,
    ...reasonsOf(leftOut),
  ];
}

/** Returns the part of the JSON record about them; empty without a report. */
export function dependenciesRecord(report: DependencyReport | undefined): object {
  if (report === undefined) return {};
  const { namespaces, added, removed, leftOut, elapsedMs } = report;
  return {
    dependencies: { namespaces, added, removed, left_out: leftOut, took_ms: elapsedMs },
  };
}

/** One line for each reason. */
function reasonsOf(leftOut: DependencyReport["leftOut"]): readonly string[] {
  return [...Map.groupBy(leftOut, ({ reason }) => reason)].map(([reason, all]) => {
    const names = all.slice(0, MAX_NAMED).map(({ name }) => name);
    const rest = all.length - names.length;
    return `${all.length} left out (${reason}): ${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`;
  });
}
