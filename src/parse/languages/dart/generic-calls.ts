// Calls with type arguments that the grammar of Dart takes for comparisons: `items.map<Item>(read)`, and in lists also
// `Builder<Store, State>(build: show)`, as two elements.
import type { Arranging } from "./arranging.ts";
import { writeLinks } from "./links.ts";

/** The parts of such a call. */
interface GenericCall {
  readonly called: readonly number[];
  readonly types: readonly number[];
  readonly list: number;
  /** The links after the call. */
  readonly links: readonly number[];
}

/** Writes a comparison that is a call. `links`: what follows it. Returns false for others. */
export function writeGenericCall(
  arranger: Arranging,
  node: number,
  field: number,
  links: readonly number[],
): boolean {
  const { tree } = arranger;
  const [inner = -1, ...others] = tree.children(node);
  const beginning = beginningOf(arranger, inner);
  const end = beginning && endOf(arranger, others);
  if (beginning === undefined || end === undefined) return false;
  const { called, type } = beginning;
  const call = { called, types: [type], list: end.list, links: [...end.links, ...links] };
  writeCall(arranger, call, field);
  return true;
}

/** Writes a call that begins with a sibling and ends with a later one. Returns the number of siblings; 0 if there is no call. */
export function writeSplitCall(
  arranger: Arranging,
  siblings: readonly number[],
  at: number,
): number {
  const { tree, out } = arranger;
  const first = siblings[at] ?? -1;
  const isNamed = tree.typeName(first) === "named_argument";
  const value = isNamed ? tree.child(first, -1) : unwrapped(arranger, first);
  const beginning = beginningOf(arranger, value);
  if (beginning === undefined) return 0;
  const rest = restOf(arranger, siblings.slice(at + 1));
  if (rest === undefined) return 0;
  const field = arranger.fieldOf(first);
  if (isNamed) {
    out.open(tree.types[first] ?? 0, first, field);
    arranger.node(tree.child(first, 0), 0);
  }
  const { called, type } = beginning;
  writeCall(arranger, { called, ...rest, types: [type, ...rest.types] }, isNamed ? 0 : field);
  if (isNamed) out.close();
  return rest.types.length + 1;
}

/** Returns the further types in `B, C > (…)`, each a sibling, with what follows; undefined if it is something else. */
function restOf(
  arranger: Arranging,
  siblings: readonly number[],
): Omit<GenericCall, "called"> | undefined {
  const { tree } = arranger;
  const types: number[] = [];
  for (const sibling of siblings) {
    const node = unwrapped(arranger, sibling);
    if (tree.typeName(node) === "identifier" && tree.isLeaf(node)) {
      types.push(node);
      continue;
    }
    if (tree.typeName(node) !== "relational_expression") return undefined;
    const [type = -1, ...others] = tree.children(node);
    const end = type !== -1 && tree.isLeaf(type) ? endOf(arranger, others) : undefined;
    return end && { types: [...types, type], ...end };
  }
  return undefined;
}

function unwrapped({ tree }: Arranging, node: number): number {
  const isWrapped = tree.typeName(node) === "argument" && tree.child(node, 1) === -1;
  return isWrapped ? tree.child(node, 0) : node;
}

/** Returns what `called < Type` calls, and the type; undefined for other nodes. */
function beginningOf(
  { tree }: Arranging,
  node: number,
): { readonly called: readonly number[]; readonly type: number } | undefined {
  if (node === -1 || tree.typeName(node) !== "relational_expression") return undefined;
  const parts = tree.children(node);
  const [less = -1, type = -1] = parts.slice(-2);
  const isType = type !== -1 && tree.typeName(type) === "identifier";
  if (parts.length < 3 || !isType || tree.textOf(less) !== "<") return undefined;
  return { called: parts.slice(0, -2), type };
}

/** Returns the list of arguments in `>(…)` and what follows it; undefined if it is something else. */
function endOf(
  { tree }: Arranging,
  [operator = -1, list = -1, ...links]: readonly number[],
): Pick<GenericCall, "list" | "links"> | undefined {
  if (list === -1 || tree.textOf(operator) !== ">") return undefined;
  const isList = /^(?:parenthesized_expression|record_literal)$/.test(tree.typeName(list));
  return isList && tree.end(operator) === tree.start(list) ? { list, links } : undefined;
}

function writeCall(arranger: Arranging, call: GenericCall, field: number): void {
  const { called, types, list, links } = call;
  const { out } = arranger;
  const [first = -1] = called;
  const [firstType = -1] = types;
  const write = (own: number): void => {
    out.open(arranger.typeId("call"), first, own);
    arranger.group(called, "call");
    out.open(arranger.typeId("type_arguments"), firstType, 0);
    for (const type of types) {
      out.open(arranger.typeId("type_identifier"), type, 0);
      out.close();
    }
    out.close();
    writeArguments(arranger, list);
    out.close();
  };
  writeLinks(arranger, links, field, { first, write });
}

/** Writes what the grammar takes for a record as a list of arguments. */
function writeArguments(arranger: Arranging, list: number): void {
  const { tree, out } = arranger;
  out.open(arranger.typeId("arguments"), list, 0);
  const children = tree.children(list);
  const isOfFields = children.some((child) => tree.typeName(child) === "record_field");
  const fields = isOfFields ? children.map((child) => tree.children(child)) : [children];
  for (const field of fields) {
    const [first = -1] = field;
    const isNamed = first !== -1 && tree.typeName(first) === "label";
    if (isNamed) out.open(arranger.typeId("named_argument"), first, 0);
    arranger.group(field, "arguments");
    if (isNamed) out.close();
  }
  out.close();
}
