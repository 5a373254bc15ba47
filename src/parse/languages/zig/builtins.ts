// Calls of the language itself: `@import("a.zig")`, `@This()`, `@as(T, x)`.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { ImportReader } from "../../references/imports.ts";
import { nthName, initialValue, declares } from "./nodes.ts";

/** Builtins whose value has the type of their first argument, or is it. */
const OF_FIRST = new Set(
  "@as @TypeOf @constCast @volatileCast @alignCast @unionInit @min @max".split(" "),
);
/** Functions of allocators, and whether they return one object of the type that is passed. */
const ALLOCATING: Readonly<Record<string, boolean>> = {
  create: true,
  alloc: false,
  alignedAlloc: false,
  allocSentinel: false,
  dupe: false,
  dupeZ: false,
};
/** Generic types of the standard library that hold several values, and which argument is the type of these. */
export const LISTS: Readonly<Record<string, number>> = Object.fromEntries([
  ...namesOf(
    "ArrayList ArrayListUnmanaged ArrayListAligned ArrayListAlignedUnmanaged BoundedArray SegmentedList MultiArrayList StringHashMap StringHashMapUnmanaged StringArrayHashMap StringArrayHashMapUnmanaged PriorityQueue",
  ).map((name) => [name, 0] as const),
  ...namesOf(
    "AutoHashMap AutoHashMapUnmanaged AutoArrayHashMap AutoArrayHashMapUnmanaged HashMap HashMapUnmanaged ArrayHashMap ArrayHashMapUnmanaged EnumArray EnumMap",
  ).map((name) => [name, 1] as const),
]);
const MAX_NAME_CHARS = 60;
const ALLOCATOR = /(?:alloc\w*|gpa|arena\w*|ally)(?:\(\))?$/i;

/** Returns the module of `@import("a.zig")`; undefined for other nodes. */
function importedModule(node: number, tree: FlatSyntaxTree): string | undefined {
  const name = builtinName(node, tree);
  const passed = name === "@import" ? firstArgument(node, tree) : -1;
  if (passed === -1 || tree.typeName(passed) !== "string") return undefined;
  const content = tree.child(passed, 0);
  return content === -1 ? undefined : tree.textOf(content);
}

function namesOf(text: string): readonly string[] {
  return text.split(" ");
}

function builtinName(node: number, tree: FlatSyntaxTree): string {
  return node !== -1 && tree.typeName(node) === "builtin_function"
    ? tree.textOf(tree.child(node, 0))
    : "";
}

function firstArgument(node: number, tree: FlatSyntaxTree): number {
  const list = tree.child(node, 1);
  return list === -1 ? -1 : tree.child(list, 0);
}

/** Returns the node that has the value of a call of a builtin; -1 if it is unknown. */
export function builtinValue(node: number, tree: FlatSyntaxTree): number {
  const name = builtinName(node, tree);
  // The list of its arguments is the container around.
  if (name === "@This") return tree.child(node, 1);
  return name === "@import" || OF_FIRST.has(name) ? firstArgument(node, tree) : -1;
}

/** Reads `const a = @import("a.zig")`. */
export function readZigImport(node: number, { tree, add }: ImportReader): boolean {
  const module = importedModule(initialValue(node, tree), tree);
  if (module === undefined || !declares(node, tree)) return false;
  const name = nthName(0)(node, tree);
  const local = name === -1 ? "" : tree.textOf(name);
  const bindings = local === "" || local === "_" ? [] : [{ name: "*", local, node: -1 }];
  add({ node, module, bindings });
  return true;
}

/** Reads `usingnamespace @import("a.zig")`. */
export function readOpened(node: number, { tree, add }: ImportReader): boolean {
  const module = importedModule(tree.child(node, 0), tree);
  if (module === undefined) return false;
  add({ node, module, bindings: [], isWildcard: true, isReexport: true });
  return true;
}

/** Reads the text of `@import("a.zig")` inside an expression. */
export function readImportedText(node: number, { tree, add }: ImportReader): boolean {
  const module = importedModule(tree.parent(tree.parent(node)), tree);
  if (module === undefined) return false;
  const local = `import ${module.replaceAll(/[.()[\]#@?*]/g, "_")}`;
  add({ node, module, bindings: [{ name: "*", local, node: -1 }], isValue: true });
  return true;
}

/** Returns the type that a call of an allocator gets, or the list type of the library that a call is, and whether it is one object. */
export function listedType(
  call: number,
  tree: FlatSyntaxTree,
): { readonly type: number; readonly isOne: boolean } | undefined {
  if (tree.typeName(call) !== "call_expression") return undefined;
  const callee = tree.childInField(call, "function");
  if (callee === -1) return undefined;
  const name = nameOf(callee, tree).replace(/^std\./, "");
  const listed = Object.hasOwn(LISTS, name) ? (LISTS[name] ?? 0) : -1;
  if (listed === -1) return allocatedType(call, callee, tree);
  const type = tree.child(call, listed + 1);
  return type === -1 ? undefined : { type, isOne: false };
}

function allocatedType(
  call: number,
  callee: number,
  tree: FlatSyntaxTree,
): { readonly type: number; readonly isOne: boolean } | undefined {
  const member = tree.childInField(callee, "member");
  const name = member === -1 ? "" : tree.textOf(member);
  const isOne = Object.hasOwn(ALLOCATING, name) ? ALLOCATING[name] : undefined;
  const object = isOne === undefined ? -1 : tree.childInField(callee, "object");
  const type = tree.child(call, 1);
  if (isOne === undefined || object === -1 || type === -1) return undefined;
  return ALLOCATOR.test(nameOf(object, tree)) ? { type, isOne } : undefined;
}

/** Returns the text of a node; "" if it is long. */
function nameOf(node: number, tree: FlatSyntaxTree): string {
  const isShort = tree.end(node) - tree.start(node) <= MAX_NAME_CHARS;
  return isShort ? tree.text.slice(tree.start(node), tree.end(node)) : "";
}
