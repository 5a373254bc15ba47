// The definitions of OpenAPI and JSON Schema: operations, schemas, parameters, tags. Other JSON and YAML has keys only.
import type { Definition, ParsedOutline, SymbolKind } from "../languages/definition-rules.ts";
import { emptyCuts, type TextLines } from "../text-lines.ts";
import { readJsonKeys } from "./json-keys.ts";
import { childAt, textAt, type KeyNode } from "./key-node.ts";
import { readYamlKeys } from "./yaml-keys.ts";

/** In characters. The key that says what a document is comes first, apart from a comment. */
const HEAD_CHARS = 8192;
const MARKERS =
  /(?:^|[{,\n])[ \t]*["']?(?:openapi|swagger)["']?\s*:\s*["']?[123]\.|["']?\$schema["']?\s*:\s*["']?https?:\/\/json-schema\.org\//;
const METHODS = new Set("get put post delete options head patch trace query".split(" "));
/** Parts of `components`, and of the root in version 2, whose keys are names. */
const PARTS = [
  "parameters",
  "responses",
  "requestBodies",
  "headers",
  "securitySchemes",
  "securityDefinitions",
  "examples",
  "links",
  "callbacks",
];
const MAX_NAME_CHARS = 120;
const MAX_CUT_DEPTH = 20;

/** Whether a text looks like a description of an interface or a schema. `language` is its language id. */
export function isApiText(text: string, language: string | undefined): boolean {
  return (language === "json" || language === "yaml") && MARKERS.test(text.slice(0, HEAD_CHARS));
}

/** Returns the definitions and cut points of OpenAPI and JSON Schema; undefined for other text. */
export function parseApiOutline(
  lines: TextLines,
  language: string | undefined,
): ParsedOutline | undefined {
  if (!isApiText(lines.text, language)) return undefined;
  const root = language === "json" ? readJsonKeys(lines.text) : readYamlKeys(lines);
  const definitions =
    childAt(root, "openapi") !== undefined || childAt(root, "swagger") !== undefined
      ? interfaceDefinitions(root)
      : schemaDocument(root);
  if (definitions.length === 0) return undefined;
  const cuts = emptyCuts(lines.count);
  markCuts(cuts, root, 1);
  return {
    definitions: definitions.toSorted((one, other) => one.startLine - other.startLine),
    cuts,
  };
}

function markCuts(cuts: Uint8Array, { children }: KeyNode, depth: number): void {
  for (const child of children) {
    const cut = cuts[child.line - 1] ?? 0;
    if (cut === 0 || cut > depth) cuts[child.line - 1] = depth;
    if (depth < MAX_CUT_DEPTH) markCuts(cuts, child, depth + 1);
  }
}

function interfaceDefinitions(root: KeyNode): Definition[] {
  const components = childAt(root, "components");
  const parts = PARTS.flatMap((part) => [childAt(components, part), childAt(root, part)]);
  return [
    ...["paths", "webhooks"].flatMap((key) => childAt(root, key)?.children.map(pathOf) ?? []),
    ...(childAt(components, "schemas")?.children.map(schemaOf) ?? []),
    ...(childAt(root, "definitions")?.children.map(schemaOf) ?? []),
    ...parts.flatMap((part) => part?.children.flatMap(partOf) ?? []),
    ...(childAt(root, "tags")?.children.flatMap(tagOf) ?? []),
  ];
}

/** Returns `/users/{id}` with its operations. */
function pathOf(path: KeyNode): Definition {
  const definition = definitionOf(path, { name: path.key, kind: "section" });
  for (const method of path.children) {
    if (!METHODS.has(method.key)) continue;
    const route = `${method.key.toUpperCase()} ${path.key}`;
    const id = childAt(method, "operationId");
    const name = id?.value === undefined || id.value === "" ? route : id.value;
    const nameLine = name === route ? method.line : (id?.line ?? method.line);
    definition.members.push({ ...definitionOf(method, { name, kind: "function" }), nameLine });
    if (name !== route) {
      const place = { ...method, endLine: method.line };
      definition.members.push(
        definitionOf(place, { name: route, kind: "section", isInline: true }),
      );
    }
  }
  return definition;
}

/** Returns a schema with its properties. */
function schemaOf(schema: KeyNode): Definition {
  const properties = propertiesOf(schema);
  const kind = properties.length > 0 ? "class" : "type";
  const definition = definitionOf(schema, { name: schema.key, kind });
  definition.members.push(...properties);
  return definition;
}

/** Also of schemas that are composed of others. */
function propertiesOf(schema: KeyNode): Definition[] {
  const composed = childAt(schema, "allOf")?.children ?? [];
  return [schema, ...composed].flatMap(
    (part) =>
      childAt(part, "properties")?.children.map((property) =>
        definitionOf(property, { name: property.key, kind: "field", isInline: true }),
      ) ?? [],
  );
}

/** A list of parameters belongs to what is around it; a part with names is one of the interface. */
function partOf(part: KeyNode): Definition[] {
  return /^\d+$/.test(part.key) ? [] : [definitionOf(part, { name: part.key, kind: "section" })];
}

function tagOf(tag: KeyNode): Definition[] {
  const name = textAt(tag, "name");
  return name === undefined ? [] : [definitionOf(tag, { name, kind: "section", isInline: true })];
}

function schemaDocument(root: KeyNode): Definition[] {
  const nested = ["$defs", "definitions"].flatMap(
    (key) => childAt(root, key)?.children.map(schemaOf) ?? [],
  );
  const properties = propertiesOf(root);
  const title = textAt(root, "title");
  const first = root.children[0];
  const last = root.children.at(-1);
  if (title === undefined || first === undefined || last === undefined) {
    return [...properties, ...nested];
  }
  const place = { ...root, line: first.line, endLine: last.endLine };
  const whole = definitionOf(place, { name: title, kind: "class" });
  const members = [...properties, ...nested];
  whole.members.push(...members.toSorted((one, other) => one.startLine - other.startLine));
  return [{ ...whole, nameLine: childAt(root, "title")?.line ?? first.line }];
}

interface Head {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly isInline?: boolean;
}

function definitionOf(
  { line, endLine }: Pick<KeyNode, "line" | "endLine">,
  { name, kind, isInline = false }: Head,
): Definition {
  return {
    name: name.slice(0, MAX_NAME_CHARS),
    owner: undefined,
    kind,
    startLine: line,
    endLine,
    nameLine: line,
    nameIndex: -1,
    access: "exported",
    signature: "",
    docLine: undefined,
    isSymbol: name !== "",
    isTitle: false,
    isInline,
    isScope: true,
    members: [],
  };
}
