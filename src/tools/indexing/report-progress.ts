import type { IndexRequest } from "../../engine/engine.ts";
import type { ToolContext } from "../tool.ts";

type Progress = Parameters<NonNullable<IndexRequest["onProgress"]>>[0];

/** Range of each stage in percent, from the usual duration for a medium-sized repository. */
const STAGE_RANGES: Readonly<Record<Progress["stage"], readonly [from: number, to: number]>> = {
  fetch: [0, 40],
  checkout: [40, 50],
  list: [50, 55],
  words: [55, 80],
  syntax: [80, 100],
};

/** Converts stages, which each begin at 0, to one number that only grows, as the protocol requires. */
export function createProgressReporter(
  progress: ToolContext["progress"],
): (stage: Progress) => void {
  let last = -1;
  return ({ stage, done, total }) => {
    const [from, to] = STAGE_RANGES[stage];
    const share = total === 0 ? 0 : Math.min(1, done / total);
    const now = Math.round((from + share * (to - from)) * 10) / 10;
    if (now <= last) return;
    last = now;
    progress({ done: now, total: 100, message: `${stage} ${done}/${total}` });
  };
}
