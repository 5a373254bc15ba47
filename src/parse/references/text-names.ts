// Names in parts of a file that the grammar leaves as text.
import type { UseRole } from "./references.ts";

/** The receiver of a bare name in the body of a macro. Who uses the macro uses the name. */
export const IN_MACRO = "~";

/** A name in such a part. */
export interface TextName {
  readonly name: string;
  /** In the file, in UTF-16 code units. */
  readonly offset: number;
  readonly role: UseRole;
  /** See `Use.receiver`. */
  readonly receiver: string;
}
