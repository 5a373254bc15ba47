// The meaning of `this` in the functions of scripts.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { SelfRule } from "../reference-rules.ts";

/**
 * Returns the type of `this` in a function: that of a constructor function, or of the prototype that the function is
 * assigned to.
 */
export function selfOfFunction(node: number, tree: FlatSyntaxTree): SelfRule {
  const name = tree.childInField(node, "name");
  if (name !== -1 && /^[A-Z]/.test(tree.textOf(name))) return { type: () => name };
  const parent = tree.parent(node);
  const type = parent === -1 ? "" : tree.typeName(parent);
  if (type === "variable_declarator") {
    const variable = tree.childInField(parent, "name");
    return /^[A-Z]/.test(tree.textOf(variable)) ? { type: () => variable } : "none";
  }
  if (type === "assignment_expression") {
    const left = tree.childInField(parent, "left");
    const owner = prototypeOf(left, tree);
    const object = owner === -1 ? objectOf(left, tree) : owner;
    return object === -1 ? "none" : { type: () => object };
  }
  return type === "pair" ? selfInObject(tree.parent(parent), tree) : "none";
}

/** Returns the type of `this` in a function that is a member of an object literal. */
export function selfInObject(object: number, tree: FlatSyntaxTree): SelfRule {
  const owner = typeOfMembers(object, tree);
  if (owner !== -1) return { type: () => owner };
  let holder = tree.parent(object);
  while (holder !== -1 && AROUND_OBJECT.test(tree.typeName(holder))) {
    holder = tree.parent(holder);
  }
  const isHolder = holder !== -1 && HOLDERS.test(tree.typeName(holder));
  return isHolder ? { value: () => holder } : "none";
}

/** Expressions whose value is the object in them. */
const AROUND_OBJECT = /^(?:assignment|parenthesized|as|satisfies)_expression$/;
/** The definitions that an object literal can be the value of. */
const HOLDERS = /^(?:variable_declarator|expression_statement|pair|(?:public_)?field_definition)$/;

/** Returns `app` of `app.name`; -1 for exports and everything else. */
function objectOf(target: number, tree: FlatSyntaxTree): number {
  if (target === -1 || tree.typeName(target) !== "member_expression") return -1;
  const object = tree.childInField(target, "object");
  if (object === -1 || tree.typeName(object) !== "identifier") return -1;
  return /^(?:exports|module)$/.test(tree.textOf(object)) ? -1 : object;
}

/** Returns `Foo` of `Foo.prototype.name`, or of `Foo.prototype`; -1 for everything else. */
function prototypeOf(target: number, tree: FlatSyntaxTree): number {
  if (target === -1 || tree.typeName(target) !== "member_expression") return -1;
  const object = tree.childInField(target, "object");
  const name = tree.childInField(target, "property");
  if (object === -1 || name === -1) return -1;
  if (tree.typeName(object) === "identifier")
    return tree.textOf(name) === "prototype" ? object : -1;
  return prototypeOf(object, tree);
}

/** Returns the type whose members an object literal has: `Foo.prototype = {…}`, `Object.assign(Foo.prototype, {…})`. */
function typeOfMembers(object: number, tree: FlatSyntaxTree): number {
  const parent = object === -1 ? -1 : tree.parent(object);
  const type = parent === -1 ? "" : tree.typeName(parent);
  if (type === "assignment_expression") return prototypeOf(tree.childInField(parent, "left"), tree);
  return type === "arguments" ? prototypeOf(tree.child(parent, 0), tree) : -1;
}
