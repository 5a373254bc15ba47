// The cost of documents: for extraction, and in the index of a project.
import { spawn } from "node:child_process";

import { table } from "../quality/table.ts";
import { peakOf, timed } from "../timed-child.ts";
import type { Environment } from "../workspace.ts";
import type { Extraction } from "./extraction.ts";
import { GROUPS, groupOf, type Group } from "./manifest.ts";

export interface ExtractionCost {
  readonly group: Group;
  readonly documents: number;
  readonly unread: number;
  /** Pages, slides, sheets, cells or sections. */
  readonly parts: number;
  readonly cpuMs: number;
  readonly partsPerCpuSecond: number;
}

export function extractionCosts(extractions: readonly Extraction[]): readonly ExtractionCost[] {
  return GROUPS.flatMap((group) => {
    const of = extractions.filter(({ file }) => groupOf(file) === group);
    if (of.length === 0) return [];
    const parts = of.reduce((sum, { document }) => sum + (document?.places.length ?? 0), 0);
    const cpuMs = of.reduce((sum, extraction) => sum + extraction.cpuMs, 0);
    const unread = of.filter(({ document }) => document === undefined).length;
    const partsPerCpuSecond = (1000 * parts) / cpuMs;
    return [{ group, documents: of.length, unread, parts, cpuMs, partsPerCpuSecond }];
  });
}

export function extractionTable(costs: readonly ExtractionCost[]): string {
  return table(
    ["extracted", "documents", "unread", "parts", "cpu s", "parts per cpu s"],
    costs.map((of) => [
      of.group,
      of.documents,
      of.unread,
      of.parts,
      (of.cpuMs / 1000).toFixed(2),
      of.partsPerCpuSecond.toFixed(0),
    ]),
  );
}

export interface IndexCost {
  readonly cpuMs: number;
  /** Undefined without /proc. */
  readonly peakBytes: number | undefined;
}

/** The cost of a first index of a folder. A separate run measures peak memory, because checking it costs time. */
export async function indexCost(
  svc: string,
  root: string,
  freshHome: () => Environment,
): Promise<IndexCost> {
  const { cpuMs } = await timed([svc, "index", root], { env: freshHome() });
  const child = spawn(svc, ["index", root], { env: freshHome(), stdio: "ignore" });
  return { cpuMs, peakBytes: await peakOf(child) };
}

export function indexCostTable(costs: Readonly<Record<string, IndexCost>>): string {
  const [first] = Object.values(costs);
  return table(
    ["index of", "cpu s", "ratio", "peak MB"],
    Object.entries(costs).map(([name, { cpuMs, peakBytes }]) => [
      name,
      (cpuMs / 1000).toFixed(1),
      first === undefined ? undefined : (cpuMs / first.cpuMs).toFixed(2),
      peakBytes === undefined ? undefined : (peakBytes / 1e6).toFixed(0),
    ]),
  );
}
