// What a component takes as properties, read from its scripts without a syntax tree.
import { CodeReader, endOfCode, topLevelMatches } from "./script-code.ts";

/** A part of a text: offsets. */
export interface PatternRange {
  readonly start: number;
  readonly end: number;
}

const DEFINE_PROPS = /\bdefineProps\s*</g;
const CLASS_COMPONENT = /\bexport\s+default\s+class\s+([\p{L}_$][\p{L}\p{N}_$]*)/u;
const DECLARED_PROPS = /(?:^|\n)[ \t]*(?:export[ \t]+)?(?:interface|type)[ \t]+Props\b/;
const SVELTE_PROPS = /\b(?:let|const)\s+(?=\{)/g;
const SVELTE_CALL = /\s*=\s*\$props\s*\(/y;
const TYPE_END = /=(?!>)/y;
/** Further patterns are those of functions. */
const MAX_PATTERNS = 200;

/** Returns the type argument of `defineProps<Props>()`; undefined without one. */
export function vuePropsType(script: string): string | undefined {
  const match = script.matchAll(DEFINE_PROPS).next().value;
  if (match === undefined) return undefined;
  const start = match.index + match[0].length;
  const end = endOfTypeArgument(script, start);
  return end === -1 ? undefined : script.slice(start, end);
}

/** Returns the class that a script exports as its component; undefined without one. */
export function classComponent(script: string): string | undefined {
  return CLASS_COMPONENT.exec(script)?.[1];
}

/** Returns whether a script declares a type `Props`. */
export function declaresProps(script: string): boolean {
  return DECLARED_PROPS.test(script);
}

/** Returns the pattern and the type in `let { name }: Props = $props()`; undefined if there is none. */
export function svelteProps(
  script: string,
): { readonly pattern: PatternRange; readonly type: string } | undefined {
  let left = MAX_PATTERNS;
  for (const match of script.matchAll(SVELTE_PROPS)) {
    if (left === 0) return undefined;
    left -= 1;
    const start = match.index + match[0].length;
    const end = endOfCode(script, start + 1);
    if (end === -1) return undefined;
    const rest = script.slice(end + 1, end + 2000);
    const colon = /^\s*:/.exec(rest)?.[0].length ?? 0;
    const typeEnd = colon === 0 ? 0 : (topLevelMatches(rest.slice(colon), TYPE_END)[0]?.start ?? 0);
    const type = rest.slice(colon, colon + typeEnd);
    SVELTE_CALL.lastIndex = end + 1 + colon + type.trimEnd().length;
    if (SVELTE_CALL.test(script)) return { pattern: { start, end }, type: type.trim() };
  }
  return undefined;
}

/** Returns the offset of the bracket that ends a type argument; -1 if there is none. */
function endOfTypeArgument(text: string, from: number): number {
  const reader = new CodeReader(text);
  let depth = 0;
  for (let at = from; at < text.length;) {
    const char = text[at];
    if (reader.isWhole && char === "<") depth += 1;
    if (reader.isWhole && char === ">" && text[at - 1] !== "=") {
      if (depth === 0) return at;
      depth -= 1;
    }
    const next = reader.next(at);
    if (next === at || next === -1) return -1;
    at = next;
  }
  return -1;
}

/** Returns whether a type is written out: its members are those of the component. */
export function isTypeLiteral(type: string): boolean {
  return type.trimStart().startsWith("{");
}
