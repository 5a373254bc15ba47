// The names of style sheets that scripts use: in calls that read or change classes, in selectors, and as custom properties.

import { classesInCode } from "./class-code.ts";
import type { MarkupName } from "./markup-names.ts";
import type { ValueEnds } from "./value-end.ts";

/** What the arguments of a function are: a selector for certain or perhaps, an id, a property, classes of a page, classes. */
type Argument = "select" | "maySelect" | "id" | "property" | "page" | "classes";

const FUNCTIONS: ReadonlyMap<string, Argument> = new Map(
  Object.entries({
    select: "querySelector querySelectorAll closest matches $ $$ jQuery",
    maySelect:
      "find children parent parents siblings locator get is not on filter waitForSelector click",
    id: "getElementById",
    property: "getPropertyValue setProperty removeProperty",
    page: "addClass removeClass toggleClass hasClass getElementsByClassName",
    classes: "clsx classnames classNames cx cn twMerge twJoin cva tv",
  } satisfies Readonly<Record<Argument, string>>).flatMap(([argument, names]) =>
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a key of the literal
    names.split(" ").map((name) => [name, argument as Argument] as const),
  ),
);
/** Methods of `element.classList`. */
const OF_LIST = new Set(["add", "remove", "toggle", "contains", "replace"]);
const LIST = /(?<![\w$])classList\??\.$/;
/** A longer name is none of these. */
const MAX_NAME = 24;
/** The calls whose objects have classes as values. */
const VARIANTS = new Set(["cva", "tv"]);
/** The text in quotes at the beginning of the arguments, or after the first of them. */
const TEXT = /\s{0,20}(["'`])([^"'`\n]{1,200})\1/y;
const SELECTED =
  /(?<![\w\])-])[.#]-?[A-Za-z_][\w-]{0,80}(?![\w-]*[/\\])|(?<=[\w\])-])[.#]-?[A-Za-z_][\w-]{0,80}/g;
/** A selector has no slash. */
const NO_SELECTOR = /[/\\?]|^#[\da-f]{3,8}$/i;
/** What may be a name with dots, or of a file, is no selector where other texts are passed too. */
const OTHER_TEXT =
  /[/\\?$]|\.(?:js|ts|css|html?|json|png|svg|php|md)$|^[\w-]+(?:\.[\w-]+)+$|^\.\.?$|^#[\da-f]{3,8}$/i;
const ID = /^-?[A-Za-z_][\w-]*$/;
const PROPERTY = /^--[\w-]+$/;
/** `var(--color)`, `style="--size: 4px"` and `{ "--size": size }`. */
const IN_TEXT =
  /var\(\s{0,20}(--[A-Za-z_][\w-]{0,80})|(?<=["'\x60{;[]\s{0,20})(--[A-Za-z_][\w-]{0,80})(?=["'\x60]?\]?\s{0,4}:)/g;

/** Returns the names in the calls of a script. */
export function scriptNames(text: string, ends: ValueEnds): readonly MarkupName[] {
  const found: MarkupName[] = [];
  // Most functions are others, so a bracket is looked for first.
  for (let open = text.indexOf("("); open !== -1; open = text.indexOf("(", open + 1)) {
    const name = nameBefore(text, open);
    const argument = argumentOf(text, open, name);
    if (argument === undefined) continue;
    if (argument !== "classes" && argument !== "page") {
      found.push(...namesInText(text, open + 1, argument));
      continue;
    }
    const end = ends.ofBracket(open);
    if (end === undefined) continue;
    const hasKeys = !VARIANTS.has(name);
    for (const one of classesInCode(text, { start: open + 1, end, hasKeys }))
      found.push({ name: `.${one.name}`, at: one.at, isSought: argument === "page" });
    open = end - 1;
  }
  return found;
}

/** Returns the name of the function that is called at a bracket; "" if it is a long one. */
function nameBefore(text: string, open: number): string {
  let start = open;
  while (start > 0 && open - start <= MAX_NAME && /[\w$]/.test(text[start - 1] ?? "")) start -= 1;
  return open - start > MAX_NAME ? "" : text.slice(start, open);
}

function argumentOf(text: string, open: number, name: string): Argument | undefined {
  const before = open - name.length;
  if (name === "class") return text[before - 1] === "@" ? "classes" : undefined;
  if (!OF_LIST.has(name)) return FUNCTIONS.get(name);
  return LIST.test(text.slice(Math.max(0, before - 12), before)) ? "page" : undefined;
}

/** Returns the names in the text that is the first argument of a call. */
function namesInText(text: string, after: number, argument: Argument): readonly MarkupName[] {
  TEXT.lastIndex = after;
  const [whole = "", , value = ""] = TEXT.exec(text) ?? [];
  const at = after + whole.length - value.length - 1;
  if (argument === "id") return ID.test(value) ? [{ name: `#${value}`, at, isSought: true }] : [];
  if (argument === "property") return PROPERTY.test(value) ? [{ name: value, at }] : [];
  const isOther = argument === "select" ? NO_SELECTOR.test(value) : OTHER_TEXT.test(value);
  if (isOther) return [];
  return [...value.matchAll(SELECTED)].map((one) => ({
    name: one[0],
    at: at + one.index,
    isSought: true,
  }));
}

/** Returns the custom properties in the values and objects of a text. */
export function propertyNames(text: string): readonly MarkupName[] {
  if (!text.includes("--")) return [];
  return [...text.matchAll(IN_TEXT)].map(({ 0: whole, 1: used, 2: set, index }) => {
    const name = used ?? set ?? "";
    return { name, at: index + whole.length - name.length };
  });
}

const MODULE = /\.(?:css|scss|sass|less|styl|pcss|postcss)(?:\?[\w=&]*)?$/;

/** The local names of imports of style sheets, whose members are classes. */
export function moduleNames(
  imports: readonly {
    readonly module: string;
    readonly bindings: readonly { readonly name: string; readonly local: string }[];
  }[],
): readonly string[] {
  return imports.flatMap(({ module, bindings }) => {
    if (!MODULE.test(module)) return [];
    const whole = bindings.filter(({ name }) => name === "default" || name === "*");
    return whole.flatMap(({ local }) => (/^[\w$]+$/.test(local) ? [local] : []));
  });
}

/** A class of a style sheet that a script imports: `styles.primary`, `styles["btn-primary"]`. */
export interface ModuleMember extends MarkupName {
  readonly module: string;
}

/** Returns the members of some modules in a text. In camel case, a class may have dashes. */
export function moduleMembers(text: string, modules: readonly string[]): readonly ModuleMember[] {
  if (modules.length === 0) return [];
  const names = modules.map((name) => name.replaceAll("$", String.raw`\$`)).join("|");
  const member = new RegExp(
    `(?<![\\w$.])(${names})(?:\\??\\.([A-Za-z_$][\\w$]*)|(?:\\?\\.)?\\[\\s{0,20}(["'\`])(-?[\\w-]+)\\3\\s{0,20}\\])`,
    "g",
  );
  return [...text.matchAll(member)].flatMap(
    ({ 0: whole, 1: module = "", 2: plain, 4: quoted = "", index }) => {
      const name = plain ?? quoted;
      const at = index + whole.length - 1;
      const dashed = name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const all = plain === undefined || dashed === name ? [name] : [name, dashed];
      return all.map((one) => ({ name: `.${one}`, at, module }));
    },
  );
}
