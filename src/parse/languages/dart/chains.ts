// Expressions of Dart that the grammar has as siblings: `store` `.items` `[0]` `.close` `()`.
import type { Arranging } from "./arranging.ts";
import { writeGenericCall } from "./generic-calls.ts";
import { writeLinks } from "./links.ts";

const LINK = /^(?:selector|cascade_section|(?:un)?conditional_assignable_selector|argument_part)$/;
/** No expression: what follows it does not belong to it. */
const NO_EXPRESSION =
  /(?:_builtin|_operator|_pattern|_type|^label|^type_arguments|^type_parameters|^formal_parameter_list|^block|_statement)$/;

/** Returns the number of links that follow an expression. */
export function chainAt({ tree }: Arranging, siblings: readonly number[], at: number): number {
  const type = tree.typeName(siblings[at] ?? -1);
  if (LINK.test(type) || NO_EXPRESSION.test(type)) return 0;
  let end = at + 1;
  while (end < siblings.length && LINK.test(tree.typeName(siblings[end] ?? -1))) end += 1;
  return end - at - 1;
}

/** Writes an expression with its links. */
export function writeChain(arranger: Arranging, nodes: readonly number[]): void {
  const { tree, out } = arranger;
  const [first = -1, ...others] = nodes;
  const field = arranger.fieldOf(first);
  const section = others.findIndex((node) => tree.typeName(node) === "cascade_section");
  const links = section === -1 ? others : others.slice(0, section);
  const sections = section === -1 ? [] : others.slice(section);
  if (sections.length > 0) out.open(arranger.typeId("cascade"), first, field);
  const inner = sections.length > 0 ? 0 : field;
  if (
    tree.typeName(first) !== "relational_expression" ||
    !writeGenericCall(arranger, first, inner, links)
  ) {
    writeLinks(arranger, links, inner, { first, write: (own) => arranger.node(first, own) });
  }
  for (const one of sections) arranger.node(one, 0);
  if (sections.length > 0) out.close();
}

/** Writes `..name(a).other = value`: the object is the one before the cascade. */
export function writeCascadeSection(arranger: Arranging, node: number): void {
  const { tree, out } = arranger;
  const [first = -1, ...others] = tree.children(node);
  out.open(tree.types[node] ?? 0, node, 0);
  let end = 0;
  while (end < others.length && LINK.test(tree.typeName(others[end] ?? -1))) end += 1;
  const write = (field: number): void => arranger.plain(first, field);
  writeLinks(arranger, others.slice(0, end), 0, { first, write });
  arranger.group(others.slice(end), "cascade_section");
  out.close();
}

/** Writes `new a.Type<B>.name(c)` and `const …` as a call. */
export function writeCreation(arranger: Arranging, node: number, field: number): boolean {
  const { tree, out } = arranger;
  const children = tree.children(node);
  const names = children.filter((child) => /^(?:type_)?identifier$/.test(tree.typeName(child)));
  const [first] = names;
  const lists = children.filter((child) => /^(?:type_)?arguments$/.test(tree.typeName(child)));
  if (first === undefined || lists.length === 0) return false;
  out.open(arranger.typeId("call"), first, field);
  for (let left = names.length - 1; left > 0; left -= 1) {
    out.open(arranger.typeId("access"), first, 0);
  }
  for (const [at, name] of names.entries()) {
    arranger.node(name, 0);
    if (at > 0) out.close();
  }
  for (const list of lists) arranger.node(list, 0);
  out.close();
  return true;
}
