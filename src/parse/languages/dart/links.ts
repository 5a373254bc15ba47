// The links of a chain in Dart: what follows an expression, `.name`, `(a)` or `[0]`.
import type { Arranging } from "./arranging.ts";

const ASSIGNABLE = /^(?:un)?conditional_assignable_selector$/;

/** A part of a chain. */
interface Link {
  readonly type: "access" | "call" | "element" | "instantiation";
  /** The nodes after the object or function. */
  readonly parts: readonly number[];
}

interface Start {
  readonly first: number;
  readonly write: (field: number) => void;
}

export function writeLinks(
  arranger: Arranging,
  nodes: readonly number[],
  field: number,
  { first, write }: Start,
): void {
  const { out } = arranger;
  const links = nodes.flatMap((node) => linkOf(arranger, node) ?? []);
  for (const [at, { type }] of links.toReversed().entries()) {
    out.open(arranger.typeId(type), first, at === 0 ? field : 0);
  }
  write(links.length === 0 ? field : 0);
  for (const { parts } of links) {
    arranger.group(parts, "link");
    out.close();
  }
}

function linkOf({ tree }: Arranging, node: number): Link | undefined {
  const type = tree.typeName(node);
  if (type === "argument_part") return { type: "call", parts: tree.children(node) };
  const inner = type === "selector" ? tree.child(node, 0) : node;
  // `!`
  if (inner === -1) return undefined;
  const innerType = tree.typeName(inner);
  if (innerType === "argument_part") return { type: "call", parts: tree.children(inner) };
  if (innerType === "type_arguments") return { type: "instantiation", parts: [inner] };
  if (!ASSIGNABLE.test(innerType)) return { type: "instantiation", parts: [inner] };
  const name = tree.child(inner, 0);
  const isIndex = name === -1 || tree.typeName(name) === "index_selector";
  return { type: isIndex ? "element" : "access", parts: name === -1 ? [] : [name] };
}
