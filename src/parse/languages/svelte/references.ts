import type { CallResult, ReferenceRules } from "../reference-rules.ts";
import { typescriptReferences } from "../typescript/references.ts";

const VALUE: CallResult = { argument: 0, returns: "value", isTyped: true };

/** The rules of TypeScript, and the types of what runes return. */
export const svelteReferences: ReferenceRules = {
  ...typescriptReferences,
  hasMemberVariables: true,
  calls: {
    ...typescriptReferences.calls,
    $state: VALUE,
    "$state.raw": VALUE,
    "$state.snapshot": VALUE,
    $derived: VALUE,
    "$derived.by": { argument: 0, returns: "result", isTyped: true },
    $bindable: VALUE,
  },
};
