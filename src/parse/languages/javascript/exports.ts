// Exports of scripts by assignment, and the modules that they load.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { ImportReader } from "../../references/imports.ts";

/**
 * Reads what a script exports under other names: `module.exports = a`, `exports.a = b`,
 * `module.exports = require("./a")`.
 */
export function readExportsAssignment(node: number, reader: ImportReader): boolean {
  const { tree } = reader;
  const left = tree.childInField(node, "left");
  const right = tree.childInField(node, "right");
  if (left !== -1 && right !== -1 && tree.typeName(left) === "member_expression") {
    const target = tree.textOf(left);
    const local = EXPORTS.exec(target)?.groups?.["name"];
    if (target === "module.exports" || local !== undefined) {
      readAssigned({ node, right, local }, reader);
    }
  }
  return false;
}

function readAssigned(
  { node, right, local }: { node: number; right: number; local: string | undefined },
  reader: ImportReader,
): void {
  const { tree } = reader;
  const { value, path } = chainEnd(right, tree);
  if (path !== "") {
    const bindings = [{ name: path, local: local ?? "module.exports", node: -1 }];
    reader.add({ node, module: "", bindings, isReexport: true });
    return;
  }
  // In `exports.a = exports.b = c`, only `b` is another name of `c`.
  if (local !== undefined && value !== right) return;
  const variable = local === undefined ? variableOf(node, tree) : -1;
  readExportedValue(variable === -1 ? value : variable, local ?? "module.exports", {
    ...reader,
    node,
  });
}

/** Returns the value of `a = b = value`, and the path of a target `Type.Name` before it, which is its name; "" if there is none. */
function chainEnd(
  right: number,
  tree: FlatSyntaxTree,
): { readonly value: number; readonly path: string } {
  let value = right;
  while (tree.typeName(value) === "assignment_expression") {
    const next = tree.childInField(value, "right");
    const inner = tree.childInField(value, "left");
    if (next === -1 || inner === -1) break;
    const path = tree.textOf(inner);
    if (/^(?!exports\b|module\b)[\w$]+\.[\w$]+$/.test(path)) return { value, path };
    value = next;
  }
  return { value, path: "" };
}

const EXPORTS = /^(?:module\.)?exports\.(?<name>[\w$]+)$/;

/** Returns `a` of `const a = (module.exports = …)`; -1 for other assignments. */
function variableOf(assignment: number, tree: FlatSyntaxTree): number {
  let parent = tree.parent(assignment);
  while (parent !== -1 && /^(?:assignment|parenthesized)_expression$/.test(tree.typeName(parent))) {
    parent = tree.parent(parent);
  }
  const isDeclared = parent !== -1 && tree.typeName(parent) === "variable_declarator";
  return isDeclared ? tree.childInField(parent, "name") : -1;
}

function readExportedValue(
  value: number,
  local: string,
  { tree, add, node }: ImportReader & { readonly node: number },
): void {
  const passOn = (name: string): void =>
    add({ node, module: "", bindings: [{ name, local, node: -1 }], isReexport: true });
  const type = tree.typeName(value);
  if (type === "identifier") {
    const name = tree.textOf(value);
    if (name !== local) passOn(name);
  }
  // The other names of a script's exports are properties of their own.
  if (local !== "module.exports") return;
  if (type === "call_expression") {
    const module = loadedModule(tree, value);
    if (module === undefined) return;
    const bindings = [{ name: "*", local, node: -1 }];
    add({ node, module, bindings, isReexport: true, isWildcard: true });
  } else if (/^(?:function_expression|class)$/.test(type)) {
    const name = tree.childInField(value, "name");
    if (name !== -1) passOn(tree.textOf(name));
  }
}

/** Returns the module that `require("y")` or `import("y")` loads. */
export function loadedModule(tree: FlatSyntaxTree, call: number): string | undefined {
  if (tree.typeName(call) !== "call_expression") return undefined;
  const callee = tree.childInField(call, "function");
  const isLoader =
    callee !== -1 &&
    (tree.typeName(callee) === "import" ||
      (tree.typeName(callee) === "identifier" && tree.textOf(callee) === "require"));
  if (!isLoader) return undefined;
  const list = tree.childInField(call, "arguments");
  const [module] = list === -1 ? [] : tree.childrenOfType(list, "string", "template_string");
  return module === undefined ? undefined : tree.literalOf(module);
}
