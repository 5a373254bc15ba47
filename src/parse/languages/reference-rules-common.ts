// Rules for grammars of which only the names of node types and fields are known. All uses are by name, and a
// receiver is only known to exist.
import type { Language } from "web-tree-sitter";

import type { NameKind, NodeRule, NodePart, ReferenceRules } from "./reference-rules.ts";

const NAME = /(?:^|_)(?:identifier|constant|name|word|variable|field_name)$|^constructor$/;
/** Types that match NAME but contain several names. */
const NOT_A_NAME =
  /^(?:qualified|scoped|nested|generic|macro|quoted)_|_(?:definition|declaration)$/;
const TYPE_NAME = /type_identifier|^constant$|^constructor$/;
const MEMBER_NAME = /^(?:field|property)_(?:identifier|name)$/;
const ACCESS =
  /member|field_(?:expression|access)|selector|attribute|navigation|scoped|^dot$|dot_index|method_index|projection/;
const CALL =
  /(?:^|_)(?:call|invocation|apply|application|command)(?:_expression)?$|^new_expression$/;
const SCOPE = /function|method|lambda|closure|procedure|arrow|anonymous_fun|do_block|^block$/;
const PARAMETER = /(?:^|_)parameters?$|^lambda_parameters$/;
const DECLARATION = /variable_declarat|let_binding|local_(?:variable|declaration)|value_binding/;
const TYPE_SCOPE =
  /^(?:class|module|struct|interface|trait|enum|union|object|protocol|impl|extension|instance|namespace|contract)(?:_(?:declaration|definition|specifier|item))?$/;
const IS_TYPE = /^type_(?:annotation|arguments|parameters)$|^type$/;

const CALLEES = ["function", "method", "name", "target", "callee"];
const OBJECTS = ["receiver", "object", "expression", "operand", "value", "argument", "table"];
const MEMBERS = ["method", "property", "field", "attribute", "name", "suffix"];

/** Derives reference rules from the names of a grammar's node types. */
export function commonReferences(language: Language): ReferenceRules {
  const names: Record<string, NameKind> = {};
  const nodes: Record<string, NodeRule> = {};
  for (const [id, name] of language.types.entries()) {
    if (!language.nodeTypeIsNamed(id) || name === undefined) continue;
    if (NAME.test(name) && !NOT_A_NAME.test(name)) names[name] = kindOf(name);
    const rule = ruleFor(name);
    if (rule !== undefined) nodes[name] = rule;
  }
  return { names, nodes, members: "all" };
}

function kindOf(name: string): NameKind {
  if (MEMBER_NAME.test(name)) return "member";
  return TYPE_NAME.test(name) ? "type" : "value";
}

function ruleFor(name: string): NodeRule | undefined {
  const role = { roles: rolesOf(CALLEES) };
  if (CALL.test(name)) {
    return { ...role, value: { is: "invocation", object: OBJECTS, name: ["method"] } };
  }
  if (ACCESS.test(name)) {
    return { value: { is: "member", object: [...OBJECTS, 0], name: [...MEMBERS, -1] } };
  }
  if (PARAMETER.test(name)) return { declares: [{ names: PARAMETER_NAMES }] };
  if (DECLARATION.test(name)) return { declares: [{ names: ["pattern", "name"] }] };
  if (TYPE_SCOPE.test(name)) return { scope: "type" };
  if (SCOPE.test(name)) return { scope: "function" };
  return IS_TYPE.test(name) ? { isType: true } : undefined;
}

const PARAMETER_NAMES: NodePart = ["name", "pattern", "declarator", "*"];

function rolesOf(fields: readonly string[]): Record<string, "call"> {
  return Object.fromEntries(fields.map((field) => [field, "call"]));
}
