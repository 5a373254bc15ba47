import type { Source } from "../../sources/registry.ts";

/** A source with a callback for each file that is read. */
export interface TrackedSource extends Source {
  readonly onRead?: OnRead;
}

/** Called with each path in the namespace, and its descriptor; undefined when it could not be opened. */
export type OnRead = (path: string, file: number | undefined) => void;
