// The uses in templates. In a file of its own, a template says nothing of where its names are defined, so only the names are
// known; except in Angular, where the component is in the file next to it. The names of a template inside of code are those of
// the code around it.

import { BY_NAME } from "../../base/receiver-marks.ts";
import type { Use } from "../references/references.ts";
import { definitionsByLine } from "../symbols/definitions-by-line.ts";
import type { SymbolDefinition } from "../symbols/symbol-definition.ts";
import type { TextWithSymbols } from "../symbols/text-with-symbols.ts";
import { embeddedTemplates } from "./embedded-templates.ts";
import { ANGULAR_VARIABLES, LoopVariables, RAZOR_VARIABLES } from "./loop-variables.ts";
import { razorModel } from "./razor-model.ts";
import { ANGULAR, templateDialect } from "./template-dialects.ts";
import { templateLocals } from "./template-locals.ts";
import { templateNames, type TemplateName } from "./template-names.ts";

/** Maximum uses of a file. */
const MAX_USES = 20_000;
const CLASSES: ReadonlySet<string> = new Set(["class"]);

/** Returns the uses in the templates of a file: the file itself, or those in its code. */
export function templateUses(file: TextWithSymbols): readonly Use[] {
  return [...usesOfTemplate(file), ...usesInCode(file)];
}

/** The uses of a file that is a template. */
function usesOfTemplate({ path, language, text }: TextWithSymbols): readonly Use[] {
  const dialect = templateDialect(path, language, text);
  if (dialect === undefined) return [];
  const family = BY_NAME + dialect.family;
  const names = templateNames(text, dialect);
  if (dialect.isAngular === true) return inAngular(text, names, family);
  if (dialect.family === "csharp") return inRazor(text, names, family);
  const locals = templateLocals(text);
  return atLines(text, names, (one) => {
    if (one.before === undefined && !one.isOfElement && locals.has(one.name)) return undefined;
    if (language === "php") return inPhp(one.before);
    if (dialect.family === "elixir" && isVariable(one)) return undefined;
    return one.before === undefined ? family : `${family}.`;
  });
}

function inAngular(text: string, names: readonly TemplateName[], family: string): readonly Use[] {
  const variables = new LoopVariables(text, ANGULAR_VARIABLES);
  return atLines(text, names, ({ name, before, isOfElement }) => {
    if (before === undefined) return variables.has(name) && !isOfElement ? undefined : family;
    return `${family}.${isOfElement ? before : variables.pathOf(before)}`;
  });
}

/** `Model` has the type that the view declares. */
function inRazor(text: string, names: readonly TemplateName[], family: string): readonly Use[] {
  const variables = new LoopVariables(text, RAZOR_VARIABLES);
  const model = razorModel(text);
  return atLines(text, names, ({ name, before, isOfElement }) => {
    if (before === undefined) return variables.has(name) && !isOfElement ? undefined : family;
    const path = variables.pathOf(before);
    const isOfModel = model !== undefined && /^Model\b/.test(path);
    return `${family}.${isOfModel ? path.replace("Model", model) : ""}`;
  });
}

/** The templates of Blade are files of PHP, in which a bare name is a function or a class. */
function inPhp(before: string | undefined): string {
  if (before === undefined) return "";
  return /^[A-Z]\w*$/.test(before) ? before : "?";
}

/** The uses of the templates in the code of a file. */
function usesInCode({ text, language, symbols }: TextWithSymbols): readonly Use[] {
  const classAt = definitionsByLine(symbols, CLASSES);
  const receivers = new Map<TemplateName, ReceiverOf>();
  for (const { start, end, dialect } of embeddedTemplates(text, language)) {
    const part = text.slice(start, end);
    const receiverOf = dialect.isAngular === true ? inComponent(part, symbols, classAt) : inModule;
    for (const one of templateNames(part, dialect)) {
      receivers.set({ ...one, offset: one.offset + start }, receiverOf);
    }
    if (receivers.size > MAX_USES) break;
  }
  const receiverOf: ReceiverOf = (one, line) => receivers.get(one)?.(one, line);
  return atLines(text, [...receivers.keys()], receiverOf, symbols);
}

/** In the template of a component of Angular, names are members of the class around it. */
function inComponent(
  template: string,
  symbols: readonly SymbolDefinition[],
  classAt: (line: number) => number,
): ReceiverOf {
  const variables = new LoopVariables(template, ANGULAR_VARIABLES);
  return ({ name, before, isOfElement }, line) => {
    const component = classAt(line);
    if (component === -1) return undefined;
    if (isOfElement) {
      // An element of the component's own name may also be one of a library.
      const isOwn = `@${symbols[component]?.name ?? ""}` === (before ?? `@${name}`);
      if (isOwn) return before === undefined ? BY_NAME + ANGULAR.family : "?";
      return before ?? "";
    }
    if (before === undefined) return variables.has(name) ? undefined : `#${component}`;
    const path = variables.pathOf(before);
    return path === "" ? "?" : `#${component}.${path}`;
  };
}

/** In Elixir: a function, or one of a module. Undefined for a variable and a field. */
function inModule(one: TemplateName): string | undefined {
  const { before, isCall } = one;
  if (before === undefined) return isVariable(one) ? undefined : "";
  return isCall && /^[A-Z][\w.]*$/.test(before) ? before : undefined;
}

/** In Elixir, functions are called with brackets, and modules are capitalized. */
function isVariable({ name, before, isCall }: TemplateName): boolean {
  return before === undefined && !isCall && /^[a-z_]/.test(name);
}

/** Returns the receiver of a name on a line; undefined for a name that is no use. */
type ReceiverOf = (name: TemplateName, line: number) => string | undefined;

/** `names`: in the order of the text. */
function atLines(
  text: string,
  names: readonly TemplateName[],
  receiverOf: ReceiverOf,
  symbols: readonly SymbolDefinition[] = [],
): readonly Use[] {
  const ownerAt = definitionsByLine(symbols);
  let line = 1;
  let lineEnd = text.indexOf("\n");
  return names.slice(0, MAX_USES).flatMap((one): readonly Use[] => {
    while (lineEnd !== -1 && lineEnd < one.offset) {
      line += 1;
      lineEnd = text.indexOf("\n", lineEnd + 1);
    }
    const receiver = receiverOf(one, line);
    if (receiver === undefined) return [];
    const owner = ownerAt(line);
    const role = one.isCall ? "call" : "value";
    return [{ name: one.name, line, role, owner, target: -1, binding: -1, receiver }];
  });
}
