// Modules of Lua: `require("a.b")`, and the value that a file returns.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { FoundBinding, ImportReader } from "../../references/imports.ts";
import { argument, calleeText, isLocal, metatableOf, valueList, variableList } from "./nodes.ts";

/** The name of the whole value that a file returns. */
const WHOLE = "module.exports";

/** Returns the module of `require("a.b")` and `pcall(require, "a.b")`; undefined for other values. */
function requiredModule(
  node: number,
  tree: FlatSyntaxTree,
): { readonly module: string; readonly isProtected: boolean } | undefined {
  if (node === -1 || tree.typeName(node) !== "function_call") return undefined;
  const name = calleeText(node, tree);
  const first = name === "require" || name === "pcall" ? argument(node, 0, tree) : -1;
  if (first === -1) return undefined;
  const isProtected = name === "pcall" && tree.textOf(first) === "require";
  const text = isProtected ? argument(node, 1, tree) : first;
  if (text === -1 || tree.typeName(text) !== "string" || (name === "pcall" && !isProtected)) {
    return undefined;
  }
  const content = tree.child(text, 0);
  return content === -1 ? undefined : { module: tree.textOf(content), isProtected };
}

/** Reads `local a, b = require("a"), require("b").c`. */
export function readRequired(node: number, reader: ImportReader): boolean {
  const { tree, add } = reader;
  if (!isLocal(node, tree)) return readPassedOn(node, reader);
  const names = variableList(node, tree);
  const values = valueList(node, tree);
  if (names === -1 || values === -1) return false;
  const locals = tree.childrenOfType(names, "identifier");
  const all = tree.children(values);
  const found = all.map((value, at) => bindingOf(value, locals[at], tree));
  const [only] = all;
  const known = all.length === 1 && only !== undefined ? requiredModule(only, tree) : undefined;
  const [, second] = locals;
  if (known?.isProtected === true) {
    if (second === undefined) return false;
    const bindings = [{ name: "*", local: tree.textOf(second), node: -1 }];
    add({ node, module: known.module, bindings });
    return true;
  }
  if (found.some((one) => one === undefined)) return false;
  for (const one of found) {
    if (one !== undefined) add({ node, module: one.module, bindings: [one.binding] });
  }
  return true;
}

function bindingOf(
  value: number,
  name: number | undefined,
  tree: FlatSyntaxTree,
): { readonly module: string; readonly binding: FoundBinding } | undefined {
  if (name === undefined) return undefined;
  const local = tree.textOf(name);
  const isMember = tree.typeName(value) === "dot_index_expression";
  const member = isMember ? tree.childInField(value, "field") : -1;
  const call = isMember ? tree.childInField(value, "table") : value;
  const known = requiredModule(call, tree);
  if (known === undefined || known.isProtected) return undefined;
  const binding =
    member === -1
      ? { name: "*", local, node: -1 }
      : { name: tree.textOf(member), local, node: member };
  return { module: known.module, binding };
}

/** Reads `M.a = other.b` in the file of the module `M`, where `other` is another module or a table of the file. Returns false. */
function readPassedOn(node: number, { tree, add }: ImportReader): false {
  const names = tree.parent(node) === 0 ? variableList(node, tree) : -1;
  const target = names === -1 ? -1 : tree.child(names, 0);
  const values = valueList(node, tree);
  const path = values === -1 ? "" : pathOf(tree.child(values, 0), tree);
  if (target === -1 || path === "" || tree.typeName(target) !== "dot_index_expression")
    return false;
  const [, table, local = ""] = /^(\w+)\.(\w+)$/.exec(tree.textOf(target)) ?? [];
  const { returned, modules } = factsOf(tree);
  if (table === undefined || table !== returned) return false;
  const [first = "", ...rest] = path.split(".");
  const module = modules.get(first);
  if (module === undefined) {
    add({ node, module: "", bindings: [{ name: path, local, node: -1 }], isReexport: true });
  } else {
    const bindings = [{ name: rest.join(".") || "*", local, node: -1 }];
    add({ node, module, bindings, isReexport: true });
  }
  return false;
}

/** What the statements of a file show: the name of the table that it returns, and the modules of its variables. */
interface FileFacts {
  readonly returned: string;
  readonly modules: ReadonlyMap<string, string>;
}

const factsOfTrees = new WeakMap<FlatSyntaxTree, FileFacts>();

function factsOf(tree: FlatSyntaxTree): FileFacts {
  const known = factsOfTrees.get(tree);
  if (known !== undefined) return known;
  const modules = new Map<string, string>();
  let returned = "";
  for (const statement of tree.children(0)) {
    const type = tree.typeName(statement);
    if (type === "return_statement") {
      const list = valueList(statement, tree);
      const value = list === -1 ? -1 : tree.child(list, 0);
      const isCall = value !== -1 && metatableOf(value, tree) !== -1;
      returned = pathOf(isCall ? argument(value, 0, tree) : value, tree);
    }
    const assignment = type === "variable_declaration" ? tree.child(statement, 0) : -1;
    const names = assignment === -1 ? -1 : variableList(assignment, tree);
    const values = assignment === -1 ? -1 : valueList(assignment, tree);
    if (names === -1 || values === -1) continue;
    const found = requiredModule(tree.child(values, 0), tree);
    const name = tree.child(names, 0);
    if (found?.isProtected === false && name !== -1) modules.set(tree.textOf(name), found.module);
  }
  const facts = { returned, modules };
  factsOfTrees.set(tree, facts);
  return facts;
}

/** Reads `require("a.b")` inside of an expression. */
export function readRequiredInside(node: number, { tree, add }: ImportReader): boolean {
  const known = requiredModule(node, tree);
  if (known === undefined) return false;
  const local = `require ${known.module.replaceAll(/[.()[\]#@?*]/g, "_")}`;
  const bindings = [{ name: "*", local, node: -1 }];
  add({ node, module: known.module, bindings, isValue: true });
  return false;
}

/** Reads what a file returns: `return M`, `return setmetatable(M, …)`, `return { a = b }`, `return require("a")`. */
export function readReturned(node: number, { tree, add }: ImportReader): boolean {
  if (tree.parent(node) !== 0) return false;
  const list = valueList(node, tree);
  const value = list === -1 ? -1 : tree.child(list, 0);
  if (value === -1) return false;
  const passOn = (name: string, local: string): void =>
    add({ node, module: "", bindings: [{ name, local, node: -1 }], isReexport: true });
  const type = tree.typeName(value);
  const known = requiredModule(value, tree);
  if (known !== undefined && !known.isProtected) {
    const bindings = [{ name: "*", local: WHOLE, node: -1 }];
    add({ node, module: known.module, bindings, isReexport: true, isWildcard: true });
  } else if (type === "table_constructor") {
    for (const field of tree.childrenOfType(value, "field")) {
      const name = tree.childInField(field, "name");
      const path = pathOf(tree.childInField(field, "value"), tree);
      if (name !== -1 && path !== "") passOn(path, tree.textOf(name));
    }
  } else {
    const isCall = metatableOf(value, tree) !== -1;
    const path = pathOf(isCall ? argument(value, 0, tree) : value, tree);
    if (path !== "") passOn(path, WHOLE);
  }
  return false;
}

/** Returns the text of a name with dots; "" for other values. */
function pathOf(node: number, tree: FlatSyntaxTree): string {
  if (node === -1 || tree.end(node) - tree.start(node) > 100) return "";
  const text = tree.textOf(node);
  return /^(?:identifier|dot_index_expression)$/.test(tree.typeName(node)) && /^[\w.]+$/.test(text)
    ? text
    : "";
}
