// The grammar of Dart leaves much to the order of siblings: `store`, `.items`, `()` and `.first` are children of one node, as
// are a signature and its body, or `List`, `<Item>` and `?`. This puts nodes around what belongs together.
import type { Arrangement, FlatSyntaxTree } from "../../flat-tree/flat-syntax-tree.ts";
import type { TreeColumns } from "../../flat-tree/tree-columns.ts";
import { TreeWriter } from "../../flat-tree/tree-writer.ts";
import { ADDED, type Arranging } from "./arranging.ts";
import { chainAt, writeChain, writeCascadeSection, writeCreation } from "./chains.ts";
import { writeGenericCall, writeSplitCall } from "./generic-calls.ts";

/** What is nested deeper is copied as it is. */
const MAX_DEPTH = 500;

const SIGNATURE = /_signature$/;
const CONSTRUCTOR = /constructor_signature$/;
const TYPE_START = /^(?:type_identifier|function_type|record_type|void_type)$/;
const BEFORE_VARIABLES =
  /^(?:final_builtin|const_builtin|inferred_type|type_identifier|type_arguments|nullable_type|function_type|record_type|void_type)$/;
const VARIABLES = /^(?:initialized_identifier_list|static_final_declaration_list)$/;
const PATTERN = /_pattern$/;
const MAY_BE_SPLIT = /^(?:relational_expression|(?:named_)?argument)$/;
/** The place of parameters that are passed by their names. */
const NAMED_PARAMETERS = "named parameters";

export const dartArrangement: Arrangement = { types: ADDED, arrange };

function arrange(tree: FlatSyntaxTree): TreeColumns {
  return new DartArranger(tree).run();
}

/** Writes one tree. */
class DartArranger implements Arranging {
  readonly tree: FlatSyntaxTree;
  readonly out: TreeWriter;
  readonly #typeIds: ReadonlyMap<string, number>;
  readonly #fieldIds: ReadonlyMap<string | null, number>;
  #depth = 0;
  /** Whether names in patterns are declared: `var (a, b) = …`. */
  #isDeclaring = false;

  constructor(tree: FlatSyntaxTree) {
    this.tree = tree;
    this.out = new TreeWriter(tree);
    this.#typeIds = idsOf(tree.shape.typeNames);
    this.#fieldIds = idsOf(tree.shape.fieldNames);
  }

  run(): TreeColumns {
    if (this.tree.count > 0) this.node(0, 0);
    return this.out.columns();
  }

  typeId(name: Parameters<Arranging["typeId"]>[0]): number {
    return this.#typeIds.get(name) ?? 0;
  }

  fieldId(name: string): number {
    return this.#fieldIds.get(name) ?? 0;
  }

  /** Returns the field of a node in the original tree. */
  fieldOf(node: number): number {
    return this.tree.fields[node] ?? 0;
  }

  /** Writes a node and what is in it. */
  node(node: number, field: number): void {
    if (this.#depth > MAX_DEPTH) {
      this.out.copy(node, field);
      return;
    }
    this.#depth += 1;
    const { tree } = this;
    const type = tree.typeName(node);
    const wasDeclaring = this.#isDeclaring;
    if (type === "pattern_variable_declaration" || type === "for_loop_parts")
      this.#isDeclaring = true;
    else if (this.#isDeclaring && !PATTERN.test(type)) this.#isDeclaring = false;
    if (!writeSpecial(this, node, type, field)) this.plain(node, field);
    this.#isDeclaring = wasDeclaring;
    this.#depth -= 1;
  }

  plain(node: number, field: number): void {
    const { tree } = this;
    const isVariable = this.#isDeclaring && tree.typeName(node) === "constant_pattern";
    const type = isVariable ? this.typeId("variable_pattern") : (tree.types[node] ?? 0);
    this.out.open(type, node, field);
    this.group(tree.children(node), tree.typeName(node));
    this.out.close();
  }

  /** Writes siblings. `around`: the type of the node that they are in. */
  group(siblings: readonly number[], around: string): void {
    for (let at = 0; at < siblings.length;) at += this.#next(siblings, at, around);
  }

  /** Writes what begins with a sibling; returns the number of siblings that belong to it. */
  #next(siblings: readonly number[], at: number, around: string): number {
    const { tree } = this;
    const node = siblings[at] ?? -1;
    const type = tree.typeName(node);
    if (type === "nullable_type") return 1;
    const split = MAY_BE_SPLIT.test(type) ? writeSplitCall(this, siblings, at) : 0;
    if (split > 0) return split;
    if (type === "argument" || type === "optional_formal_parameters") {
      const isNamed = type !== "argument" && tree.text[tree.start(node)] === "{";
      this.group(tree.children(node), isNamed ? NAMED_PARAMETERS : type);
      return 1;
    }
    const count = this.#declarationAt(siblings, at, around);
    return count > 0 ? count : this.#expressionAt(siblings, at, around);
  }

  /** Writes the declaration or the type that begins with a sibling; returns the number of its siblings, 0 if there is none. */
  #declarationAt(siblings: readonly number[], at: number, around: string): number {
    const node = siblings[at] ?? -1;
    const type = this.tree.typeName(node);
    if (around === "program" && BEFORE_VARIABLES.test(type)) {
      const count = this.#variablesAt(siblings, at);
      if (count > 0) return count;
    }
    if (TYPE_START.test(type)) return this.type(siblings, at, this.fieldOf(node));
    const isFunction = SIGNATURE.test(type) || type === "declaration";
    return isFunction ? this.#functionAt(siblings, at, around) : 0;
  }

  #expressionAt(siblings: readonly number[], at: number, around: string): number {
    const node = siblings[at] ?? -1;
    const isOfPattern = around === "object_pattern" || around === "record_pattern";
    const count = isOfPattern ? this.#patternField(siblings, at, around) : 0;
    if (count > 0) return count;
    const links = chainAt(this, siblings, at);
    if (links > 0) {
      writeChain(this, siblings.slice(at, at + links + 1));
      return links + 1;
    }
    const isNamed = around === NAMED_PARAMETERS && this.tree.typeName(node) === "formal_parameter";
    this.node(node, isNamed ? this.fieldId("name") : this.fieldOf(node));
    return 1;
  }

  type(siblings: readonly number[], at: number, field: number): number {
    const { tree } = this;
    const first = siblings[at] ?? -1;
    const isName = tree.typeName(first) === "type_identifier";
    let names = 1;
    while (this.#isQualified(siblings[at + names - 1] ?? -1, siblings[at + names])) names += 1;
    const list = siblings[at + names] ?? -1;
    if (!isName || list === -1 || tree.typeName(list) !== "type_arguments") {
      this.#path(siblings.slice(at, at + names), field);
      return names;
    }
    this.out.open(this.typeId("generic_type"), first, field);
    this.#path(siblings.slice(at, at + names), 0);
    this.node(list, 0);
    this.out.close();
    return names + 1;
  }

  /** Writes `a.Name`. */
  #path(names: readonly number[], field: number): void {
    const [first = -1] = names;
    const isPath = names.length > 1;
    if (isPath) this.out.open(this.typeId("type_path"), first, field);
    for (const name of names) this.node(name, isPath ? 0 : field);
    if (isPath) this.out.close();
  }

  #isQualified(name: number, next: number | undefined): boolean {
    const { tree } = this;
    const isNext = next !== undefined && tree.typeName(next) === "type_identifier";
    if (!isNext || tree.typeName(name) !== "type_identifier") return false;
    return /^\s*\.\s*$/.test(tree.textBetween(name, next));
  }

  /** Writes `final Type a = 1, b = 2;` outside of types as one node, as the grammar has it in types. */
  #variablesAt(siblings: readonly number[], at: number): number {
    const { tree } = this;
    let end = at;
    while (end < siblings.length && BEFORE_VARIABLES.test(tree.typeName(siblings[end] ?? -1)))
      end += 1;
    const list = siblings[end];
    if (list === undefined || !VARIABLES.test(tree.typeName(list))) return 0;
    this.out.open(this.typeId("declaration"), siblings[at] ?? -1, 0);
    this.group(siblings.slice(at, end + 1), "declaration");
    this.out.close();
    return end + 1 - at;
  }

  /** Writes a signature, with the body that follows it, as a function. Returns 0 if there is no signature. */
  #functionAt(siblings: readonly number[], at: number, around: string): number {
    const { tree } = this;
    const node = siblings[at] ?? -1;
    if (around === "declaration" || around === "method_signature") return 0;
    const isWrapped = /^(?:declaration|method_signature)$/.test(tree.typeName(node));
    const signature = isWrapped ? tree.child(node, 0) : node;
    const signatureType = signature === -1 ? "" : tree.typeName(signature);
    if (!SIGNATURE.test(signatureType)) return 0;
    const body = siblings[at + 1] ?? -1;
    const hasBody = body !== -1 && tree.typeName(body) === "function_body";
    const type = CONSTRUCTOR.test(signatureType) ? "constructor" : "function";
    this.out.open(this.typeId(type), node, this.fieldOf(node));
    this.node(node, 0);
    if (hasBody) this.node(body, 0);
    this.out.close();
    return hasBody ? 2 : 1;
  }

  /** Writes `name: pattern`, or `:var name`. Returns 0 if there is no pattern. */
  #patternField(siblings: readonly number[], at: number, around: string): number {
    const { tree } = this;
    const first = siblings[at] ?? -1;
    const second = siblings[at + 1] ?? -1;
    const isName = tree.typeName(first) === "identifier";
    const hasValue = isName && second !== -1 && /^\s*:\s*$/.test(tree.textBetween(first, second));
    const isShort = PATTERN.test(tree.typeName(first)) && around === "object_pattern";
    if (!hasValue && !isShort) return 0;
    this.out.open(this.typeId("pattern_field"), first, 0);
    this.node(first, 0);
    if (hasValue) this.node(second, 0);
    this.out.close();
    return hasValue ? 2 : 1;
  }
}

/** Writes a node whose children belong together in another way. Returns false for all other nodes. */
function writeSpecial(arranger: Arranging, node: number, type: string, field: number): boolean {
  switch (type) {
    case "new_expression":
    case "const_object_expression":
      return writeCreation(arranger, node, field);
    case "relational_expression":
      return writeGenericCall(arranger, node, field, []);
    case "cascade_section":
      writeCascadeSection(arranger, node);
      return true;
    case "try_statement":
      writeTry(arranger, node, field);
      return true;
    case "mixin_declaration":
      writeMixin(arranger, node, field);
      return true;
    case "object_pattern":
      writeObjectPattern(arranger, node, field);
      return true;
    case "constructor_signature":
    case "constant_constructor_signature":
    case "factory_constructor_signature":
    case "redirecting_factory_constructor_signature":
      writeConstructor(arranger, node, field);
      return true;
    case "initializer_list_entry":
    case "redirection":
      writeConstructorCall(arranger, node, field);
      return true;
    default:
      return false;
  }
}

/** Puts `on Type catch (error) { … }` into one node. */
function writeTry(arranger: Arranging, node: number, field: number): void {
  const { tree, out } = arranger;
  out.open(tree.types[node] ?? 0, node, field);
  const children = tree.children(node);
  for (let at = 0; at < children.length;) {
    const first = children[at] ?? -1;
    const isHandler =
      TYPE_START.test(tree.typeName(first)) || tree.typeName(first) === "catch_clause";
    const block = children.findIndex(
      (child, index) => index > at && tree.typeName(child) === "block",
    );
    if (!isHandler || block === -1) {
      arranger.node(first, arranger.fieldOf(first));
      at += 1;
      continue;
    }
    out.open(arranger.typeId("handler"), first, 0);
    arranger.group(children.slice(at, block + 1), "handler");
    out.close();
    at = block + 1;
  }
  out.close();
}

/** The types that a mixin is `on` are what it inherits from. */
function writeMixin(arranger: Arranging, node: number, field: number): void {
  const { tree, out } = arranger;
  out.open(tree.types[node] ?? 0, node, field);
  const children = tree.children(node);
  const isOfType = (child: number): boolean =>
    /^(?:type_identifier|type_arguments|nullable_type)$/.test(tree.typeName(child));
  const from = children.findIndex(isOfType);
  const to = children.findLastIndex(isOfType) + 1;
  if (from === -1) arranger.group(children, "mixin_declaration");
  else {
    arranger.group(children.slice(0, from), "mixin_declaration");
    out.open(arranger.typeId("interfaces"), children[from] ?? -1, 0);
    arranger.group(children.slice(from, to), "interfaces");
    out.close();
    arranger.group(children.slice(to), "mixin_declaration");
  }
  out.close();
}

/** The type of an object pattern gets a field. */
function writeObjectPattern(arranger: Arranging, node: number, field: number): void {
  const { tree, out } = arranger;
  out.open(tree.types[node] ?? 0, node, field);
  const children = tree.children(node);
  const count = arranger.type(children, 0, arranger.fieldId("type"));
  arranger.group(children.slice(count), "object_pattern");
  out.close();
}

/** Leaves out the name of the type before that of a constructor. */
function writeConstructor(arranger: Arranging, node: number, field: number): void {
  const { tree, out } = arranger;
  const [first, second] = tree.childrenOfType(node, "identifier");
  const left = second === undefined ? undefined : first;
  out.open(tree.types[node] ?? 0, node, field);
  const children = tree.children(node).filter((child) => child !== left);
  arranger.group(children, "constructor_signature");
  out.close();
}

/** Writes `super.named(a)` and `this.named(a)` as a call. */
function writeConstructorCall(arranger: Arranging, node: number, field: number): void {
  const { tree, out } = arranger;
  const [object = -1, name = -1, list] = tree.children(node);
  if (
    list === undefined ||
    tree.typeName(name) !== "identifier" ||
    !/^(?:super|this)$/.test(tree.typeName(object))
  ) {
    arranger.plain(node, field);
    return;
  }
  out.open(tree.types[node] ?? 0, node, field);
  out.open(arranger.typeId("call"), object, 0);
  out.open(arranger.typeId("access"), object, 0);
  arranger.node(object, 0);
  arranger.node(name, 0);
  out.close();
  arranger.node(list, 0);
  out.close();
  out.close();
}

/** Of several node types of one name, the last is one of those that the grammar does not have. */
function idsOf<T>(names: readonly T[]): ReadonlyMap<T, number> {
  return new Map(names.map((name, id) => [name, id] as const));
}
