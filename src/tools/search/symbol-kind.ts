import * as v from "valibot";

import { KIND_WORDS, storedKindsOf } from "../../engine/symbols/symbol-kinds.ts";

/** A kind of definition, by any word for it. `listed`: those that the schema names. */
export function symbolKind(listed: readonly string[]) {
  return v.optional(
    v.pipe(
      v.string(),
      v.check(
        (word) => storedKindsOf(word) !== undefined,
        `must be one of ${KIND_WORDS.join(", ")}`,
      ),
      v.metadata({ enum: listed }),
    ),
  );
}
