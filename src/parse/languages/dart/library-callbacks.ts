// Functions and widgets of libraries that Flutter programs use: what they pass to functions without declared types of parameters.
import type { FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import { passedTo } from "./marks.ts";
import { typeIn } from "./parts.ts";

const CONTEXT = "BuildContext";

/** The types of the parameters: of a library, or the index of a type argument of the call. */
type Parameters = readonly (string | number)[];

const BLOC: Readonly<Record<string, Parameters>> = {
  builder: [CONTEXT, 1],
  listener: [CONTEXT, 1],
  buildWhen: [1, 1],
  listenWhen: [1, 1],
};
const OF_VALUE: Readonly<Record<string, Parameters>> = { builder: [CONTEXT, 0] };

/** By called name, and by the name of the argument; "" for an argument without one. */
const CALLBACKS: Readonly<Record<string, Readonly<Record<string, Parameters>>>> = {
  testWidgets: { "": ["WidgetTester"] },
  on: { "": [0] },
  blocTest: { act: [0], verify: [0] },
  BlocBuilder: BLOC,
  BlocListener: BLOC,
  BlocConsumer: BLOC,
  BlocSelector: { selector: [1], builder: [CONTEXT, 2] },
  Consumer: OF_VALUE,
  ValueListenableBuilder: OF_VALUE,
  Selector: { selector: [CONTEXT, 0], builder: [CONTEXT, 1] },
};
/** These arguments get the context first, whatever is called. */
const WITH_CONTEXT = /^(?:builder|\w+Builder|create)$/;

/** What a function gets: the node of a type, or the name of a type of a library. */
export type PassedType = { readonly node: number } | { readonly name: string };

/** Returns the type of a parameter of a function that is passed to a library; undefined if it is unknown. */
export function passedByLibrary(
  callable: number,
  parameter: number,
  tree: FlatSyntaxTree,
): PassedType | undefined {
  const passed = passedTo(callable, tree);
  if (passed === undefined) return undefined;
  const { callee, member = "" } = passed;
  const name = tree.isLeaf(callee) ? callee : tree.child(callee, 1);
  const text = name === -1 ? "" : tree.textOf(name);
  const type = knownType(text, member, parameter);
  if (typeof type === "string") return type === "" ? undefined : { name: type };
  const [list] = tree.childrenOfType(tree.parent(callee), "type_arguments");
  const node = list === undefined ? -1 : (tree.children(list)[type] ?? -1);
  return node === -1 ? undefined : { node };
}

function knownType(called: string, member: string, parameter: number): string | number {
  const known = Object.hasOwn(CALLBACKS, called) ? CALLBACKS[called]?.[member] : undefined;
  const context = WITH_CONTEXT.test(member) && parameter === 0 ? CONTEXT : "";
  return known?.[parameter] ?? context;
}

/** Classes of libraries whose members have the type of their type argument, and classes that are collections of it. */
const STATES = /(?:State|Cubit|Bloc|Notifier)$/;
const COLLECTIONS = /^(?:List|Iterable|Set|Queue|Map|Unmodifiable\w+)(?:Base|Mixin|View)?$/;

/** Returns the last type argument of the class that a class extends, if it is one of those; -1 for others. */
export function argumentOfBase(definition: number, tree: FlatSyntaxTree): number {
  const base = tree.childInField(definition, "superclass");
  const type = base === -1 ? -1 : firstType(base, tree);
  if (type === -1 || tree.typeName(type) !== "generic_type") return -1;
  const name = tree.textOf(tree.child(type, 0));
  if (!STATES.test(name) && !COLLECTIONS.test(name)) return -1;
  return tree.child(tree.child(type, 1), -1);
}

/** `class ItemList extends Object with ListMixin<Item>` is a collection too. */
function firstType(base: number, tree: FlatSyntaxTree): number {
  const [mixins] = tree.childrenOfType(base, "mixins");
  const type = typeIn(base, tree);
  const isGeneric = type !== -1 && tree.typeName(type) === "generic_type";
  return isGeneric || mixins === undefined ? type : typeIn(mixins, tree);
}

/** Returns the fields of a class that have the type of that argument: `widget` of a `State<Page>`. */
export function fieldsOfBase(
  definition: number,
  tree: FlatSyntaxTree,
): readonly { readonly name: string; readonly type: number }[] {
  const type = argumentOfBase(definition, tree);
  return type === -1 ? [] : ["widget", "state", "value"].map((name) => ({ name, type }));
}
