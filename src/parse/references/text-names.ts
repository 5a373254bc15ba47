// Names in parts of a file that the grammar leaves as text.
import type { Use } from "./references.ts";

/** A name in such a part. */
export interface TextName extends Pick<Use, "name" | "role" | "receiver" | "arguments"> {
  /** In the file, in UTF-16 code units. */
  readonly offset: number;
  /** True if it is a use even where the node defines nothing. */
  readonly isUse?: true;
}
