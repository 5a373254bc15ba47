// The line that records the commit of a change. The line of the change itself is written before the commit, which
// may fail. Only a commit line proves that a store without the change is an older copy.
import type { LineFields } from "./chain.ts";

const EVENT = "store.commit";
const START =
  /^\{"seq":\d{1,15},"time":"[^"]{1,40}","event":"store\.commit","generation":(\d{1,15})[,}]/;
/** Longer than any text that `START` matches. */
const START_BYTES = 160;

/** Returns the fields of the line that records the commit of this generation. */
export function commitLine(generation: number): LineFields {
  return { time: new Date().toISOString(), event: EVENT, generation };
}

/** Returns the store generation that a line records as committed; 0 for every other line. */
export function committedBy({ event, generation }: LineFields): number {
  return event === EVENT ? Number(generation) : 0;
}

/** As `committedBy`, for the bytes of a line in the file. */
export function committedIn(bytes: Buffer): number {
  return Number(START.exec(bytes.toString("latin1", 0, START_BYTES))?.[1] ?? 0);
}
