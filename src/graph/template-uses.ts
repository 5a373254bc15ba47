// What a name in a template means. In Angular, the component of `hero.component.html` is in `hero.component.ts`, and in Razor a view
// names the type of its model, so their members and the types of these are known. In other templates, only the name is.

import { languageFamily } from "../base/language-families.ts";
import { BY_NAME } from "../base/receiver-marks.ts";
import { isStyleUse, mayHaveStyles } from "../base/style-names.ts";
import type { Use } from "../parse/references/references.ts";
import { isType, symbolRef, type ScopedFile, type SymbolRef } from "./entity.ts";
import type { NameResolver } from "./name-resolver.ts";
import { canUse } from "./name-rules.ts";
import type { UseResolution } from "./use-resolution.ts";

/** Whether a use in a file of one language may mean a definition of another. */
export function mayUse(
  language: string,
  { receiver }: Pick<Use, "receiver">,
  definer: string,
): boolean {
  if (isStyleUse({ receiver })) return mayHaveStyles(definer);
  const family = familyIn(receiver);
  return family === undefined ? canUse(language, definer) : family === languageFamily(definer);
}

/** The family of the languages that a template's code uses; undefined for a use in other code. */
function familyIn(receiver: string): string | undefined {
  if (!receiver.startsWith(BY_NAME)) return undefined;
  const end = receiver.indexOf(".");
  return receiver.slice(BY_NAME.length, end === -1 ? undefined : end);
}

/** Resolves a use in a template. `resolve`: resolves one in the component's file. */
export async function resolveInTemplate(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
  resolve: (file: ScopedFile, use: Use) => Promise<UseResolution>,
): Promise<UseResolution> {
  const dot = use.receiver.indexOf(".");
  const isMember = dot !== -1;
  const path = use.receiver.slice(isMember ? dot + 1 : use.receiver.length);
  const byName: UseResolution = { kind: "name", isMember: isMember ? true : undefined };
  if (isMember && path === "") return byName;
  const isOfModel = path.startsWith("@") && !file.path.endsWith(".html");
  const component = await (isOfModel ? modelOf(names, path) : componentOf(names, file.path));
  if (component === undefined || !mayUse("", use, component.file.language)) return byName;
  // An element of the component's own name may also be one of a library.
  if (!isOfModel && isOwnElement(component, use, path)) return byName;
  const own = { ...use, receiver: receiverFrom(component, use, path), owner: component.number };
  const resolution = await resolve(component.file, own);
  return resolution.kind === "name" ? byName : resolution;
}

function isOwnElement({ facts }: SymbolRef, { name }: Use, path: string): boolean {
  return name === facts.name || path === `@${facts.name}`;
}

function receiverFrom({ number }: SymbolRef, { name }: Use, path: string): string {
  // An attribute of a component, or a member of a model.
  if (path.startsWith("@")) return path;
  // An element or a filter names the class of a component or of a pipe.
  if (path === "") return /^\p{Lu}\w*(?:Component|Pipe)$/u.test(name) ? "" : `#${number}`;
  return `#${number}.${path}`;
}

/** The only type with the name at the beginning of a path; undefined if there are several. */
async function modelOf(names: NameResolver, path: string): Promise<SymbolRef | undefined> {
  const [, name = ""] = /^@(\w+)/.exec(path) ?? [];
  const all = await names.context.symbols.definitions(name);
  const types = all.filter((ref) => isType(ref) && canUse("csharp", ref.file.language));
  const isOne = new Set(types.map(({ facts }) => facts.qualifiedName)).size === 1;
  return isOne ? types[0] : undefined;
}

/** The component in the file that belongs to a template; undefined if there is none or if it is not certain. */
async function componentOf(names: NameResolver, path: string): Promise<SymbolRef | undefined> {
  const file = await names.context.symbols.file(codeFileOf(path) ?? "");
  const classes = file?.symbols.flatMap(({ kind }, number) => {
    const ref = kind === "class" ? symbolRef(file, number) : undefined;
    return ref === undefined ? [] : [ref];
  });
  const components = classes?.filter(({ facts }) => facts.name.endsWith("Component")) ?? [];
  const [first, second] = components.length > 0 ? components : (classes ?? []);
  return second === undefined ? first : undefined;
}

/** `hero.component.ts` for `hero.component.html`, and `Counter.razor.cs` for `Counter.razor`. */
function codeFileOf(path: string): string | undefined {
  if (path.endsWith(".razor")) return `${path}.cs`;
  return path.endsWith(".html") ? path.replace(/html$/, "ts") : undefined;
}
