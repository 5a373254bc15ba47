// The state that the process that watches a namespace reports to other processes, with its lease.

import type { Leases } from "../../backend/leases/port.ts";
import type { Freshness } from "../api/status.ts";

/** No process watches; files are checked on each query. */
export const NOT_WATCHED: Freshness = { mode: "asked", pid: null, folders: 0 };

const MODES: readonly unknown[] = ["starting", "watched", "polled"];

/** The freshness of a namespace, for a process that does not watch it. */
export async function freshnessOf(leases: Leases, namespace: string): Promise<Freshness> {
  return parseFreshness(await leases.reportOf(namespace));
}

/** Returns the freshness in a report; NOT_WATCHED for none or an invalid one. */
export function parseFreshness(report: unknown): Freshness {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field is checked below
  const { mode, pid, folders, problem } = (report ?? {}) as Partial<Freshness>;
  if (mode === undefined || !MODES.includes(mode)) return NOT_WATCHED;
  const common = { mode, pid: Number(pid), folders: Number(folders) };
  return typeof problem === "string" ? { ...common, problem } : common;
}
