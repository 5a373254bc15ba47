// What the attributes of a Vue template mean.
import { camelCase } from "../../base/identifier-case.ts";
import { sourcePart, type SourcePart } from "./appended-text.ts";
import type { PassedProperty } from "./element-call.ts";
import type { Attribute } from "./markup-tags.ts";
import { isWholeCode, topLevelMatches } from "./script-code.ts";

const PROPERTY = /^(?::|\.|v-bind:)(?<name>[^.\s]+)/;
const MODEL = /^v-model(?::(?<name>[\w-]+))?(?:\.|$)/;
const TEXT = /^(?!v-)(?<name>[A-Za-z][\w-]*)$/;
/** Attributes that no component takes as properties. */
const OF_ELEMENT = /^(?:class|style|key|ref|slot|is)$/;
const COMMA = /,/y;
const ENTITY = /&(?:quot|amp|lt|gt|apos|#39|#34);/g;
const ENTITY_RUN = /(?:&(?:quot|amp|lt|gt|apos|#39|#34);)+/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&quot;": '"',
  "&#34;": '"',
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&apos;": "'",
  "&#39;": "'",
};

/** Returns what an attribute sets if its element is a component; undefined if it sets no property. */
export function vueProperty({ name, at, value }: Attribute): PassedProperty | undefined {
  const code = value && decoded(value);
  if (name === "v-bind") return { key: undefined, value: code };
  const written = propertyName(name);
  if (written === undefined || OF_ELEMENT.test(written)) return undefined;
  const key = { text: camelCase(written), at };
  if (TEXT.test(name)) return { key, value: undefined };
  // `:name` is short for `:name="name"`.
  return { key, value: code ?? key };
}

function propertyName(name: string): string | undefined {
  const model = MODEL.exec(name);
  if (model !== null) return model.groups?.["name"] ?? "modelValue";
  return PROPERTY.exec(name)?.groups?.["name"] ?? TEXT.exec(name)?.groups?.["name"];
}

/** Returns the names of the parameters `(item, index)`, each with its place. */
export function declaredNames(code: SourcePart): readonly SourcePart[] {
  const lead = /^\s*\(?/.exec(code.text)?.[0].length ?? 0;
  const end = code.text.trimEnd().length;
  const isBracketed = code.text.slice(0, lead).includes("(") && code.text[end - 1] === ")";
  const inner = sourcePart(code, isBracketed ? lead : 0, isBracketed ? end - 1 : end);
  const parts: SourcePart[] = [];
  let from = 0;
  for (const { start, end: next } of topLevelMatches(inner.text, COMMA)) {
    parts.push(sourcePart(inner, from, start));
    from = next;
  }
  parts.push(sourcePart(inner, from, inner.text.length));
  return parts.filter(({ text }) => text.trim() !== "" && isWholeCode(text));
}

/** Returns code with its entities replaced, of the same length: `&amp;&amp;` becomes `&&` and spaces. */
export function decoded({ text, at }: SourcePart): SourcePart {
  return text.includes("&") ? { text: text.replaceAll(ENTITY_RUN, decodedRun), at } : { text, at };
}

function decodedRun(run: string): string {
  return run.replaceAll(ENTITY, (entity) => ENTITIES[entity] ?? entity).padEnd(run.length);
}
