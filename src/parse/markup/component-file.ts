// A component file as TypeScript: its scripts at their places, then a function with the name of the component, which takes its
// properties and has the markup in its body. The function makes elements, scopes and types of the markup known to the rules of
// TypeScript; nothing in it is a definition.
import { pascalCase } from "../../base/identifier-case.ts";
import { AppendedText, type SourcePart } from "./appended-text.ts";
import { writeAstroTemplate } from "./astro-template.ts";
import {
  classComponent,
  declaresProps,
  isTypeLiteral,
  svelteProps,
  vuePropsType,
  type PatternRange,
} from "./component-props.ts";
import { isNamePath, writeValue, type MarkupCode } from "./element-call.ts";
import type { Renamed } from "./script-code.ts";
import { writeSvelteTemplate } from "./svelte-template.ts";
import { vueTemplate } from "./vue-block.ts";
import { writeVueTemplate } from "./vue-template.ts";

/** The languages of component files. */
export type ComponentLanguage = "vue" | "svelte" | "astro";

/** A component file to be parsed. */
export interface ComponentFile {
  /** The name of the component. */
  readonly name: string;
  /** The scripts and, after them, the markup as code. */
  readonly text: string;
  /** Offset of the name in `text`. */
  readonly nameIndex: number;
  /** Length of the file. */
  readonly length: number;
  /** Returns the offset in the file of an offset in `text`; -1 for code that is not in the file. */
  readonly originOf: (offset: number) => number;
  /** Returns whether a variable is a property of the component. `nameIndex`: offset of its name. */
  readonly isProperty: (nameIndex: number) => boolean;
}

/** The parameter of the function: what the component gets. */
export const PASSED = "$passed";

/** A variable of the same type, for what `defineProps` returns. */
export const PASSED_VALUE = "$passedValue";

const WORDS = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const REFS =
  /\b(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:ref|shallowRef|computed|useTemplateRef|defineModel)\b/gu;
const RUNES =
  /^\$(?:state|derived|effect|props|bindable|inspect|host|\$props|\$restProps|\$slots|\$Generic)?$/;
const REACTIVE = /(?:^|\n)[ \t]*\$:[ \t]*([\p{L}_$][\p{L}\p{N}_$]*)[ \t]*=(?!=)([^\n]*)/gu;
const EXPORTED = /\bexport\s+let\s+$/;
const NOT_IN_NAMES = /[^\p{L}\p{N}_$]+/gu;

/** Returns the name of the component in a file: `ArticlePreview` of `article-preview.vue`, `Card` of `card/index.vue`. */
function componentName(path: string): string {
  const parts = path.split("/");
  const file = parts.at(-1) ?? "";
  const stem = file.replace(/\.[^.]*$/, "");
  const named = /^index$/i.test(stem) ? (parts.at(-2) ?? stem) : stem;
  return /^[a-z][\w-]*$/.test(named) ? pascalCase(named) : named;
}

/** Returns a component file as code. `scripts`: the text of the same length with blanks for all but the scripts. */
export function readComponentFile(
  text: string,
  scripts: string,
  { path, language }: { readonly path: string; readonly language: ComponentLanguage },
): ComponentFile {
  const name = componentName(path);
  const words = new Set(scripts.match(WORDS));
  const local = localName(name, words);
  const out = new AppendedText();
  // A line break ends a statement without a semicolon, which a semicolon here would make longer.
  const head = "\n";
  const component = { text, scripts, words, local };
  const read = { vue: readVue, svelte: readSvelte, astro: readAstro }[language];
  const { isProperty = never, ...parts } = read(component);
  if (parts.declarations !== undefined) out.add(parts.declarations);
  out.add("function ");
  const nameIndex = text.length + head.length + out.length;
  out.add(`${local}(${PASSED}: ${parts.props}) {`);
  parts.write({ out, rename: parts.rename });
  out.add("\n}\n");
  return {
    name,
    text: `${scripts}${head}${out.toString()}`,
    nameIndex,
    length: text.length,
    originOf: (offset) =>
      offset < text.length ? offset : out.originOf(offset - text.length - head.length),
    isProperty,
  };
}

interface Component {
  readonly text: string;
  readonly scripts: string;
  /** The names in the scripts. */
  readonly words: ReadonlySet<string>;
  /** The name of the component in the code. */
  readonly local: string;
}

interface ComponentParts {
  /** The type of its properties. */
  readonly props: string;
  readonly declarations?: string;
  readonly rename: MarkupCode["rename"];
  readonly isProperty?: ComponentFile["isProperty"];
  readonly write: (code: MarkupCode) => void;
}

function never(): boolean {
  return false;
}

/** A name of the scripts is another definition. */
function localName(name: string, words: ReadonlySet<string>): string {
  const plain = name.replaceAll(NOT_IN_NAMES, "_");
  const written = isNamePath(plain) ? plain : `_${plain}`;
  return words.has(written) || written === "Astro" ? `${written}$` : written;
}

/** In a template, a reference is written without `.value`. */
function readVue({ text, scripts, words, local }: Component): ComponentParts {
  const refs = new Set([...scripts.matchAll(REFS)].map((match) => match[1] ?? ""));
  const type = vuePropsType(scripts);
  const own = classComponent(scripts) ?? local;
  const rename = (name: string): Renamed | undefined =>
    refs.has(name) ? { name, suffix: ".value" } : undefined;
  const template: SourcePart | undefined = vueTemplate(text);
  const props = type === undefined || isTypeLiteral(type) ? own : `${own} & ${type}`;
  return {
    props,
    declarations: `let ${PASSED_VALUE}: ${props};`,
    rename,
    write: (code) => {
      if (template !== undefined) writeVueTemplate(code, template, words);
    },
  };
}

/** `$store` is the value of `store`. */
export function storeName(name: string): string | undefined {
  return name.startsWith("$") && !RUNES.test(name) ? name.slice(1) : undefined;
}

function readSvelte({ text, scripts, local }: Component): ComponentParts {
  const found = svelteProps(scripts);
  const isOwn = found === undefined || found.type === "" || isTypeLiteral(found.type);
  const pattern = isOwn ? found?.pattern : undefined;
  return {
    props: isOwn ? local : found.type,
    declarations: reactiveNames(scripts),
    rename: (name) => {
      const store = storeName(name);
      return store === undefined ? undefined : { name: store, suffix: "" };
    },
    isProperty: (index) => isWithin(index, pattern) || isExported(scripts, index),
    write: (code) => writeSvelteTemplate(code, text, local),
  };
}

function isWithin(index: number, range: PatternRange | undefined): boolean {
  return range !== undefined && index > range.start && index < range.end;
}

function isExported(scripts: string, index: number): boolean {
  return EXPORTED.test(scripts.slice(Math.max(0, index - 40), index));
}

/** Declares the variables of `$: doubled = count * 2`, which no other statement declares. */
function reactiveNames(scripts: string): string {
  const out = new AppendedText();
  const known = new Set<string>();
  for (const [, name = "", value = ""] of scripts.matchAll(REACTIVE)) {
    if (known.has(name) || isDeclared(scripts, name)) continue;
    known.add(name);
    out.add(`let ${name} = `);
    const text = value.trimEnd().replace(/;$/, "");
    if (!writeValue({ out, rename: undefined }, { text, at: 0 })) out.add("null");
    out.add(";");
  }
  return out.toString();
}

function isDeclared(scripts: string, name: string): boolean {
  return ["let", "var", "const"].some((word) => scripts.includes(`${word} ${name}`));
}

function readAstro({ text, scripts, local }: Component): ComponentParts {
  const hasProps = declaresProps(scripts);
  const props = hasProps ? "Props" : local;
  const from = /^---[ \t]*\r?\n/.test(text) ? endOfFrontMatter(text) : 0;
  return {
    props,
    declarations: `let Astro: { props: ${props} };`,
    rename: undefined,
    write: (code) => writeAstroTemplate(code, text, { from, component: local }),
  };
}

function endOfFrontMatter(text: string): number {
  const end = text.indexOf("\n---", 3);
  return end === -1 ? text.length : end + 4;
}
