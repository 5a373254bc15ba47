// Objects whose keys are members: the literal of a constant, what a function returns, and the argument of a function that
// returns an object with the same members.
import type { Node, Tree } from "web-tree-sitter";

import { fieldNode, fieldText, titleAt, type Name } from "../definition-rules.ts";

/** An object with more keys is data. */
const MAX_KEYS = 200;
/** Objects in objects, from the outermost. */
const MAX_LEVELS = 3;
/** Keys of all objects of a file. A file with more is data, and further keys are not indexed. */
const MAX_FILE_KEYS = 1000;
/** Levels of syntax between a key and the definition whose value it is in. */
const MAX_CLIMB = 30;
/** Expressions with one value inside. */
export const WRAPPERS = /^(?:parenthesized|satisfies|as|non_null|await)_expression$/;
/** Expressions that may be such an object. */
const MAY_BE_OBJECT = /^(?:object|call_expression|(?:parenthesized|satisfies|as)_expression)$/;
/** Expressions with a type. */
export const TYPED = /^(?:satisfies|as)_expression$/;
/** Types that name no members. */
export const OPEN_TYPE = /^(?:object|(?:Partial<|Readonly<)?Record)\b/;
/** Functions that return an object with the members of the one they get. */
export const SAME_MEMBERS =
  /^(?:Object\.(?:freeze|seal|assign)|StyleSheet\.create|stylex\.create|(?:shallow)?[rR]eactive|readonly|markRaw|proxy|observable|(?:\w+\.)?router|createTRPCRouter|(?:z|zod)\.(?:object|strictObject|looseObject)|(?:v|valibot)\.(?:object|strictObject|looseObject)|(?:Type|t)\.Object|(?:pg|mysql|sqlite|singlestore)Table|defineTable|defineMessages|defineSchema)$/;
/** Methods of such an object that return one with the same members. */
export const SAME_METHODS =
  /^(?:strict|strip|passthrough|catchall|readonly|brand|optional|nullable|nullish|default|describe|refine|superRefine|meta|openapi|index|enableRLS)$/;
/** Methods of such an object that add the members of their argument. */
const EXTENSIONS = /^(?:extend|safeExtend)$/;
const MAX_CALLEE_CHARS = 40;
/** Functions that call a function at once and return its result. */
export const CALLS_AT_ONCE = /^(?:React\.)?useMemo$|^(?:markRaw|reactive|readonly|toRefs)$/;

/** Returns whether the type of `{…} as Foo` and `{…} satisfies Foo` has the members: not that of `as const` and `satisfies Record<…>`. */
function hasMembers(typed: Node): boolean {
  const type = typed.namedChild(1);
  return type !== null && !OPEN_TYPE.test(type.text);
}

/** Returns the literal whose keys are the members of a value; undefined for other values. */
export function objectOf(value: Node | undefined): Node | undefined {
  let inner = value;
  for (let left = MAX_CLIMB; left > 0 && inner !== undefined; left -= 1) {
    const { type } = inner;
    if (type === "object") return inner;
    if (TYPED.test(type) && hasMembers(inner)) return undefined;
    inner = WRAPPERS.test(type) ? (inner.firstNamedChild ?? undefined) : argumentOf(inner);
  }
  return undefined;
}

function argumentOf(call: Node): Node | undefined {
  if (call.type !== "call_expression") return undefined;
  const callee = fieldNode(call, "function");
  if (callee === undefined) return undefined;
  const method = callee.type === "member_expression" ? fieldText(callee, "property") : undefined;
  const object = method === undefined ? undefined : fieldNode(callee, "object");
  if (object?.type === "call_expression" && SAME_METHODS.test(method ?? "")) return object;
  const isShort = callee.endIndex - callee.startIndex < MAX_CALLEE_CHARS;
  const isSame = EXTENSIONS.test(method ?? "") || (isShort && SAME_MEMBERS.test(callee.text));
  return isSame
    ? fieldNode(call, "arguments")?.namedChildren.find((one) => one.type === "object")
    : undefined;
}

/** Returns the object that a function with that body returns, if its result has no declared type. */
export function returnedObject(body: Node): Node | undefined {
  const value = body.type === "statement_block" ? returnedValue(body) : body;
  // Each access to a node calls into WebAssembly, and most functions return something else.
  if (value === undefined || !MAY_BE_OBJECT.test(value.type)) return undefined;
  const object = objectOf(calledAtOnce(value));
  const isTyped =
    object !== undefined && (body.parent?.childForFieldName("return_type") ?? null) !== null;
  return isTyped ? undefined : object;
}

/** Returns the value of the last statement of a block. */
function returnedValue(block: Node): Node | undefined {
  const last = block.lastNamedChild;
  return (last?.type === "return_statement" ? last.firstNamedChild : undefined) ?? undefined;
}

/** Returns `{…}` of `useMemo(() => ({…}), [])`. */
function calledAtOnce(value: Node): Node {
  if (value.type !== "call_expression") return value;
  const callee = fieldText(value, "function") ?? "";
  const [first] = CALLS_AT_ONCE.test(callee)
    ? (fieldNode(value, "arguments")?.namedChildren ?? [])
    : [];
  if (first === undefined) return value;
  const body = first.type === "arrow_function" ? fieldNode(first, "body") : first;
  if (body?.type !== "statement_block") return body ?? value;
  return returnedValue(body) ?? value;
}

/** Returns a test of the names of the variables and functions that a function with that body returns in an object. */
export function returnedNames(body: Node): ((name: string) => boolean) | undefined {
  const object = returnedObject(body);
  if (object === undefined || object.namedChildCount > MAX_KEYS) return undefined;
  const names = new Set<string>();
  for (const child of object.namedChildren) {
    if (child.type === "shorthand_property_identifier") names.add(child.text);
  }
  return names.size === 0 ? undefined : (name) => names.has(name);
}

/** Returns the name of a pair or a method. */
export function keyName(member: Node): Name | undefined {
  const key = fieldNode(member, member.type === "pair" ? "key" : "name");
  return key === undefined || key.type === "computed_property_name" ? undefined : titleAt(key);
}

const levels = new WeakMap<Tree, Map<number, number>>();
const counts = new WeakMap<Tree, number>();

/**
 * Returns whether the keys of an object are members of a definition: not those of an object with a declared type, which has
 * the members. `level` 1 is the outermost object.
 */
export function hasMemberKeys(object: Node): boolean {
  if (object.namedChildCount > MAX_KEYS) return false;
  let known = levels.get(object.tree);
  if (known === undefined) levels.set(object.tree, (known = new Map()));
  let level = known.get(object.id);
  if (level === undefined) known.set(object.id, (level = levelOf(object)));
  return level > 0 && level <= MAX_LEVELS;
}

/** Counts a key, and returns whether it is indexed. */
export function isIndexedMember({ tree }: Node): boolean {
  const count = counts.get(tree) ?? 0;
  counts.set(tree, count + 1);
  return count < MAX_FILE_KEYS;
}

/** Returns how deep an object is in the value of a definition; 0 if it is in none, or in one with a declared type. */
function levelOf(object: Node): number {
  let level = 1;
  let node = object;
  for (let left = MAX_CLIMB; left > 0; left -= 1) {
    const { parent } = node;
    if (parent === null) return 0;
    switch (parent.type) {
      case "variable_declarator":
      case "public_field_definition":
      case "field_definition":
        return fieldNode(parent, "type") === undefined ? level : 0;
      case "return_statement":
      case "arrow_function":
      case "assignment_expression":
      case "export_statement":
        return level;
      case "object":
        level += 1;
        break;
      case "as_expression":
      case "satisfies_expression":
        if (hasMembers(parent)) return 0;
        break;
      default:
    }
    node = parent;
  }
  return 0;
}
