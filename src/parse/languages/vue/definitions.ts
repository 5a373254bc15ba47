import type { Node } from "web-tree-sitter";

import {
  fieldNode,
  fieldText,
  literalText,
  titleAt,
  type DefinitionRule,
  type LanguageRules,
} from "../definition-rules.ts";
import { readComponentFile } from "../../markup/component-file.ts";
import { COMPONENT } from "../../markup/component-symbol.ts";
import { blankMarkup } from "../scripts-in-markup.ts";
import { typescript } from "../typescript/definitions.ts";
import { declaredProperties, optionFields } from "./properties.ts";

/** Option groups whose members are members of the component. */
const OPTIONS = new Set(["methods", "computed", "watch", "props", "filters", "actions"]);
const OPTION: DefinitionRule = {
  kind: "constant",
  isInline: true,
  name: (node) => titleAt(fieldNode(node, "key")),
  body: () => undefined,
};

/** The rules of TypeScript, plus the options of a component: `export default { methods: { … } }`. */
export const vue: LanguageRules = {
  ...typescript,
  definitions: {
    ...typescript.definitions,
    object: componentRule,
    pair: (pair, parent) => (parent === "class" && isOption(pair) ? optionRule(pair) : undefined),
  },
  ownedFields: {
    ...typescript.ownedFields,
    lexical_declaration: declaredProperties,
    expression_statement: declaredProperties,
  },
  prepareText: blankMarkup,
  readComponent: (text, prepared, path) =>
    readComponentFile(text, prepared, { path, language: "vue" }),
  enter: (node) => callArgument(node) ?? optionsOf(node) ?? typescript.enter?.(node),
};

/** Returns the rule for a component. Its `name` option is the name. */
function componentRule(object: Node, parent: string | undefined): DefinitionRule | undefined {
  if (parent !== undefined) return undefined;
  const name = object.namedChildren.find(
    (child) => child.type === "pair" && fieldText(child, "key") === "name",
  );
  const title = name && fieldNode(name, "value");
  return {
    kind: "class",
    hasMembers: true,
    body: () => object,
    headMembers: optionFields,
    ...(title?.type === "string"
      ? { name: () => titleAt(title), owner: () => COMPONENT }
      : { name: () => COMPONENT, isSymbol: false }),
  };
}

/** Returns the argument list of `defineComponent({ … })`. */
function callArgument(call: Node): Node | undefined {
  const isDefinition =
    call.type === "call_expression" &&
    /^(?:defineComponent|Vue\.extend|defineNuxtComponent)$/.test(fieldText(call, "function") ?? "");
  return isDefinition ? fieldNode(call, "arguments") : undefined;
}

function optionsOf(pair: Node): Node | undefined {
  if (pair.type !== "pair" || !OPTIONS.has(literalText(fieldNode(pair, "key") ?? pair)))
    return undefined;
  const value = fieldNode(pair, "value");
  return value?.type === "object" ? value : undefined;
}

/** Returns whether a pair is in an option group. */
function isOption(pair: Node): boolean {
  const around = pair.parent?.parent ?? undefined;
  return around?.type === "pair" && optionsOf(around) !== undefined;
}

function optionRule(pair: Node): DefinitionRule {
  const value = fieldNode(pair, "value");
  const isFunction = value !== undefined && /function|arrow/.test(value.type);
  if (!isFunction) return OPTION;
  return {
    kind: "function",
    name: (node) => titleAt(fieldNode(node, "key")),
    body: () => fieldNode(value, "body"),
  };
}
