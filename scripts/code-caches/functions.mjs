// The functions of a chunk, by names that survive most changes of the sources.

import { parseAst } from "vite";

const FUNCTION = /^(?:Function|ArrowFunction)/;
const CLASS = /^Class(?:Declaration|Expression)$/;

/**
 * Returns each function of `source` as `{ name, start, end, inside }`. `name` is the path of names that lead
 * to it, "Session/close/", and several functions may share it. `start` and `end` are offsets of its text;
 * `inside` is an offset within it and within no function that it contains.
 */
export function functionsOf(source) {
  const found = [];
  const visit = (node, path, given) => {
    const isFunction = FUNCTION.test(node.type);
    const opensName = isFunction || CLASS.test(node.type);
    const own = opensName ? [...path, withoutNumber(node.id?.name ?? given ?? "")] : path;
    const { start, end, body } = node;
    if (isFunction) {
      const inside = body.type === "BlockStatement" ? body.start + 1 : body.start;
      found.push({ name: own.join("/"), start, end, inside });
    } else if (opensName) {
      for (const field of initializersOf(node)) found.push({ ...field, name: own.join("/") });
    }
    const inner = nameGivenBy(node) ?? (isFunction ? undefined : given);
    for (const child of childrenOf(node)) visit(child, own, inner);
  };
  visit(parseAst(source, { sourceType: "script" }), [], undefined);
  return found;
}

/** V8 makes one function of all fields of a class, and another of all static members; each begins at the first. */
function initializersOf({ body }) {
  const members = body.body.filter(({ type }) => /^(?:PropertyDefinition|StaticBlock)$/.test(type));
  const first = [members.find(isStatic), members.find((member) => !isStatic(member))];
  return first
    .filter((member) => member !== undefined)
    .map(({ start, end }) => ({ start, end, inside: start }));
}

function isStatic({ type, static: isMarked }) {
  return type === "StaticBlock" || isMarked;
}

/** esbuild numbers names that would collide in a chunk, so the number changes with the other names. */
function withoutNumber(name) {
  return name.replace(/\d+$/, "");
}

/** The name of a function expression that is the value of this node. */
function nameGivenBy({ type, id, key, left, computed }) {
  if (type === "VariableDeclarator" && id.type === "Identifier") return id.name;
  if (type === "AssignmentExpression") return left.name ?? left.property?.name;
  if (key !== undefined && key !== null && computed !== true) return key.name ?? String(key.value);
  return undefined;
}

function childrenOf(node) {
  const children = [];
  for (const key in node) {
    const value = node[key];
    if (Array.isArray(value)) children.push(...value.filter(isNode));
    else if (isNode(value)) children.push(value);
  }
  return children;
}

function isNode(value) {
  return typeof value?.type === "string";
}
