// Calls of the client of Prisma: `prisma.user.findMany({ where: { … } })` returns records of the model `User`, and the keys of its
// argument are fields of that model.
import { PRISMA_SCHEMA } from "../../../base/receiver-marks.ts";
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";

/** What the methods of a model return: a record, several, or something else. */
const METHODS: ReadonlyMap<string, "one" | "several" | "other"> = new Map([
  ["findUnique", "one"],
  ["findUniqueOrThrow", "one"],
  ["findFirst", "one"],
  ["findFirstOrThrow", "one"],
  ["findMany", "several"],
  ["create", "one"],
  ["createMany", "other"],
  ["createManyAndReturn", "several"],
  ["update", "one"],
  ["updateMany", "other"],
  ["updateManyAndReturn", "several"],
  ["upsert", "one"],
  ["delete", "one"],
  ["deleteMany", "other"],
  ["count", "other"],
  ["aggregate", "other"],
  ["groupBy", "other"],
]);
const CLIENT = String.raw`(?:\w*[pP]risma\w*|tx|trx|db)`;
const IS_CLIENT = new RegExp(`(?:^|\\.)${CLIENT}$`);
const CALL = new RegExp(
  String.raw`(?<![\w$])${CLIENT}\s*\.\s*(\w+)\s*\.\s*(?:${[...METHODS.keys()].join("|")})\s*[(<]`,
  "g",
);
/** Longer objects are no client. */
const MAX_CLIENT_CHARS = 60;
/** Keys of an argument that lead to keys of the same model. */
const SAME_MODEL = new Set(
  (
    "where select include omit data create update orderBy cursor distinct by having AND OR NOT some every none is isNot connect " +
    "connectOrCreate set disconnect delete deleteMany updateMany upsert createMany"
  )
    .split(" ")
    .map((key) => `.${key}`),
);
const RECORD = `@${PRISMA_SCHEMA}.`;

const mentions = new WeakMap<FlatSyntaxTree, boolean>();

/** Returns whether a file says anything of Prisma. */
function mentionsPrisma(text: string): boolean {
  return text.includes("prisma") || text.includes("Prisma");
}

interface ModelCall {
  /** The expression of a record of the model. */
  readonly record: string;
  readonly returns: "one" | "several" | "other";
}

/** Returns the call of a model that a callee is; undefined for other callees. */
export function modelCalled(callee: number, tree: FlatSyntaxTree): ModelCall | undefined {
  if (tree.typeName(callee) !== "member_expression") return undefined;
  const method = tree.childInField(callee, "property");
  const returns = method === -1 ? undefined : METHODS.get(tree.textOf(method));
  const object = returns === undefined ? -1 : tree.childInField(callee, "object");
  if (returns === undefined || object === -1 || tree.typeName(object) !== "member_expression") {
    return undefined;
  }
  const client = tree.childInField(object, "object");
  const model = tree.childInField(object, "property");
  if (client === -1 || model === -1) return undefined;
  const isShort = tree.end(client) - tree.start(client) <= MAX_CLIENT_CHARS;
  if (!isShort || !IS_CLIENT.test(tree.textOf(client)) || !isOfPrisma(tree)) return undefined;
  return { record: RECORD + modelName(tree.textOf(model)), returns };
}

function isOfPrisma(tree: FlatSyntaxTree): boolean {
  let known = mentions.get(tree);
  if (known === undefined) mentions.set(tree, (known = mentionsPrisma(tree.text)));
  return known;
}

function modelName(property: string): string {
  return property.charAt(0).toUpperCase() + property.slice(1);
}

/** Returns the result of a call of a model as an expression; undefined for other calls. */
export function modelResult(callee: number, tree: FlatSyntaxTree): string | undefined {
  const { record, returns } = modelCalled(callee, tree) ?? {};
  if (record === undefined || returns === "other") return undefined;
  return returns === "several" ? `${record}*` : record;
}

/** Returns what a key or an element leads to in the argument of such a call; undefined in other values. */
export function stepInQuery(expression: string, step: string): string | undefined {
  if (!expression.startsWith(RECORD)) return undefined;
  if (step === "[]" || SAME_MODEL.has(step)) return expression;
  // The records of a relation, of which there may be one or several.
  return step.startsWith(".") ? `${expression}${step}[]` : undefined;
}

/** Returns the models that the calls in a text use, with their lines. */
export function modelsUsed(
  text: string,
): readonly { readonly name: string; readonly line: number }[] {
  if (!mentionsPrisma(text)) return [];
  let [line, at] = [1, 0];
  return [...text.matchAll(CALL)].map((match) => {
    const place = match.index + match[0].indexOf(".") + 1;
    for (; at < place; at += 1) if (text[at] === "\n") line += 1;
    return { name: modelName(match[1] ?? ""), line };
  });
}
