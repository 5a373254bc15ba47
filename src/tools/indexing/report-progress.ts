import type { IndexRequest } from "../../engine/engine.ts";
import type { ToolContext } from "../tool.ts";

type Progress = Parameters<NonNullable<IndexRequest["onProgress"]>>[0];

/** Which part of the whole each stage is, of 100: about what it takes for a repository of middle size. */
const STAGE_RANGES: Readonly<Record<Progress["stage"], readonly [from: number, to: number]>> = {
  fetch: [0, 40],
  checkout: [40, 50],
  list: [50, 55],
  words: [55, 80],
  syntax: [80, 100],
};

/** Makes one number that only grows of stages that each begin at 0: the protocol wants it so. */
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
