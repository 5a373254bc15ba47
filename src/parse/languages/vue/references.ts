import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import { PASSED, PASSED_VALUE } from "../../markup/component-file.ts";
import type { CallResult, NodeRule, ReferenceRules, SelfRule } from "../reference-rules.ts";
import { typescriptReferences } from "../typescript/references.ts";

const HELD: CallResult = { argument: 0, returns: "several", isTyped: true };
const VALUE: CallResult = { argument: 0, returns: "value", isTyped: true };
const PASSED_ON: CallResult = { argument: 0, returns: "value" };
const SPLIT = ["toRefs", "storeToRefs"];

/** Between a method and the statement that exports its options are only objects and calls, at most so many. */
const MAX_LEVELS = 8;
const OPTIONS = /^(?:object|pair|arguments|call_expression)$/;

const { nodes } = typescriptReferences;

/** The rules of TypeScript, and of what a template sees. A reference is a collection of one value. */
export const vueReferences: ReferenceRules = {
  ...typescriptReferences,
  openParameter: PASSED,
  heldValue: { member: "value", split: SPLIT },
  hasMemberVariables: true,
  collectionMembers: { ...typescriptReferences.collectionMembers, value: "value" },
  calls: {
    ...typescriptReferences.calls,
    ref: HELD,
    shallowRef: HELD,
    defineModel: HELD,
    computed: { argument: 0, returns: "results", isTyped: true },
    reactive: VALUE,
    shallowReactive: VALUE,
    readonly: VALUE,
    ...Object.fromEntries(SPLIT.map((name) => [name, PASSED_ON])),
    withDefaults: PASSED_ON,
    defineProps: { argument: 0, returns: { variable: PASSED_VALUE } },
  },
  nodes: {
    ...nodes,
    method_definition: inOptions(nodes["method_definition"] ?? {}),
    function_expression: inOptions(nodes["function_expression"] ?? {}),
  },
};

/** In the methods of exported options, `this` is the component. */
function inOptions(rule: NodeRule): NodeRule {
  const { self } = rule;
  return {
    ...rule,
    self: (node, tree): SelfRule | undefined => {
      const component = isInOptions(node, tree) ? componentOf(tree) : -1;
      if (component !== -1) return { type: () => component };
      return typeof self === "function" ? self(node, tree) : self;
    },
  };
}

function isInOptions(method: number, tree: FlatSyntaxTree): boolean {
  let node = tree.parent(method);
  for (let left = MAX_LEVELS; left > 0 && node !== -1; left -= 1) {
    if (tree.typeName(node) === "export_statement") return true;
    if (!OPTIONS.test(tree.typeName(node))) return false;
    node = tree.parent(node);
  }
  return false;
}

/** Returns the name of the function that is made of the template, which is the last statement; -1 if there is none. */
function componentOf(tree: FlatSyntaxTree): number {
  const last = tree.child(0, -1);
  return last !== -1 && tree.typeName(last) === "function_declaration"
    ? tree.childInField(last, "name")
    : -1;
}
