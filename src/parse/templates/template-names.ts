// The names that a template uses: those in its code, and the definitions that its elements, attributes and filters stand for.

import { pascalCase } from "../../base/identifier-case.ts";
import { codeNames, type CodeName } from "./code-names.ts";
import { codeSpans } from "./code-spans.ts";
import type { TemplateDialect } from "./template-dialects.ts";

/** A name in a template. */
export interface TemplateName extends CodeName {
  /** True if an element, an attribute or a filter stands for it, so that it is no variable of the template. */
  readonly isOfElement: boolean;
}

/** Returns the names of a template in the order of its text. */
export function templateNames(text: string, dialect: TemplateDialect): readonly TemplateName[] {
  return [...elementNames(text, dialect), ...namesInCode(text, dialect)].toSorted(
    (one, other) => one.offset - other.offset,
  );
}

function* namesInCode(text: string, dialect: TemplateDialect): Generator<TemplateName> {
  for (const mark of dialect.marks) {
    for (const { start, end } of codeSpans(text, mark)) {
      for (const one of codeNames(text, start, end)) {
        if (isVariableOrTag(text, one, dialect)) continue;
        if (mark === "model") yield { ...one, before: ofModel(one.before), isOfElement: false };
        else if (dialect.isAngular === true && one.before === undefined && isFilter(text, one)) {
          // `| heroName` is the `HeroNamePipe`.
          yield { ...one, name: `${pascalCase(one.name)}Pipe`, isOfElement: true };
        } else yield { ...one, isOfElement: false };
      }
    }
  }
}

function ofModel(before: string | undefined): string {
  if (before === undefined) return "Model";
  return before === "" ? "" : `Model.${before}`;
}

/** Tags of Django and Jinja themselves. */
const TAGS = new Set(
  (
    "autoescape blocktrans blocktranslate call csrf_token cycle debug do endautoescape endblocktrans endcall endfilter filter firstof get_static_prefix " +
    "ifchanged load localize lorem macro now querystring raw regroup spaceless static templatetag trans translate url verbatim widthratio"
  ).split(" "),
);

/** Whether a name is a variable or an argument that gets a value, a tag, or a directive of Blade, and no use. */
function isVariableOrTag(
  text: string,
  { name, offset, isAssigned, before }: CodeName,
  { family, isAngular }: TemplateDialect,
): boolean {
  if (before !== undefined) return false;
  // What Angular's events assign to are members of the component.
  if (isAssigned && isAngular !== true) return true;
  if (family === "php") return text[offset - 1] === "@";
  return TAGS.has(name) && /\{%[-+]?\s*$/.test(text.slice(Math.max(0, offset - 8), offset));
}

/** Whether a single `|` is in front of a name. */
function isFilter(text: string, { offset }: CodeName): boolean {
  return /(?:^|[^|])\|\s*$/.test(text.slice(Math.max(0, offset - 8), offset));
}

/** `<app-hero-list>` of Angular is the `HeroListComponent`, and `[hero]="…"` in it one of the members. */
const ANGULAR_ELEMENT = /<[a-z][a-z\d]*-([a-z][a-z\d-]{0,60})(?![\w-])([^>]{0,2000})/g;
/** `<.button>` and `<ShopWeb.Core.button>` of Phoenix call the function `button`. */
const PHOENIX_ELEMENT = /<(?:\.|((?:[A-Z]\w*\.)+))([a-z_]\w*)/g;
/** Elements that are functions of Phoenix itself. */
const OF_PHOENIX = new Set(
  (
    "async_result dynamic_tag focus_wrap form inputs_for intersperse link live_component live_file_input live_img_preview " +
    "live_title portal"
  ).split(" "),
);
/** `<Counter>` of Razor is the component `Counter`. */
const RAZOR_ELEMENT = /<([A-Z]\w*)/g;

/** `asp-action="Edit"` calls a method of a controller. */
const RAZOR_ACTION = /\sasp-action="(\w+)/g;

function* elementNames(
  text: string,
  { family, isAngular }: TemplateDialect,
): Generator<TemplateName> {
  const plain = { isCall: false, isAssigned: false, before: undefined, isOfElement: true };
  if (isAngular === true) yield* angularElements(text);
  if (family === "elixir") {
    for (const { 0: whole, 1: path, 2: name = "", index } of text.matchAll(PHOENIX_ELEMENT)) {
      const offset = index + whole.length - name.length;
      if (path === undefined && OF_PHOENIX.has(name)) continue;
      yield { ...plain, name, offset, isCall: true, before: path?.slice(0, -1) };
    }
  }
  if (family === "csharp") {
    for (const { 1: name = "", index } of text.matchAll(RAZOR_ELEMENT)) {
      yield { ...plain, name, offset: index + 1 };
    }
    for (const { 0: whole, 1: name = "", index } of text.matchAll(RAZOR_ACTION)) {
      yield { ...plain, name, offset: index + whole.length - name.length, before: "" };
    }
  }
}

function* angularElements(text: string): Generator<TemplateName> {
  const plain = { isCall: false, isAssigned: false, isOfElement: true };
  for (const match of text.matchAll(ANGULAR_ELEMENT)) {
    const [whole, tag = "", attributes = ""] = match;
    const end = match.index + whole.length;
    const offset = end - attributes.length - tag.length;
    const component = `${pascalCase(tag)}Component`;
    yield { ...plain, name: component, offset, before: undefined };
    for (const { 0: attribute, 1: name = "", index } of attributes.matchAll(
      /\s[[(]{1,2}([A-Za-z]\w*)[\])]{1,2}=/g,
    )) {
      const from = end - attributes.length + index + attribute.indexOf(name);
      yield { ...plain, name, offset: from, before: `@${component}` };
    }
  }
}
