import type { ReferenceRules } from "../reference-rules.ts";

/** Returns the rules of Solidity: those that many grammars share, and inheritance. */
export function solidityReferences(common: ReferenceRules): ReferenceRules {
  return {
    ...common,
    nodes: {
      ...common.nodes,
      expression: { value: { is: "through", of: 0 } },
      user_defined_type: { value: { is: "through", of: 0 }, type: { is: "path" } },
      inheritance_specifier: { roles: { ancestor: "inherit" } },
      modifier_invocation: { roles: { "0": "call" } },
      emit_statement: { roles: { name: "call" } },
      revert_statement: { roles: { error: "call" } },
    },
  };
}
