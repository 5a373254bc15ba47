// The line that says that a change of the credential store was committed. The line of the change itself is written
// before the commit, which may then fail; only this one shows that a store without the change is an older copy.
import type { LineFields } from "./chain.ts";

const EVENT = "store.commit";
const START =
  /^\{"seq":\d{1,15},"time":"[^"]{1,40}","event":"store\.commit","generation":(\d{1,15})[,}]/;
/** More than the part of a line that `START` matches has. */
const START_BYTES = 160;

export function commitLine(generation: number): LineFields {
  return { time: new Date().toISOString(), event: EVENT, generation };
}

/** The generation of the store that a line says was committed; 0 for all other lines. */
export function committedBy({ event, generation }: LineFields): number {
  return event === EVENT ? Number(generation) : 0;
}

/** The same for a line as it is in the file. */
export function committedIn(bytes: Buffer): number {
  return Number(START.exec(bytes.toString("latin1", 0, START_BYTES))?.[1] ?? 0);
}
