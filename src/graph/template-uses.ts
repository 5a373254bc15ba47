// What a name in a template means. In Angular, the component of `hero.component.html` is in `hero.component.ts`, and its members
// and their types are known. In other templates, only the name is.

import { languageFamily } from "../base/language-families.ts";
import { BY_NAME } from "../base/receiver-marks.ts";
import type { Use } from "../parse/references/references.ts";
import { symbolRef, type ScopedFile, type SymbolRef } from "./entity.ts";
import type { NameResolver } from "./name-resolver.ts";
import { canUse } from "./name-rules.ts";
import type { UseResolution } from "./use-resolution.ts";

/** Whether a use in a file of one language may mean a definition of another. */
export function mayUse(
  language: string,
  { receiver }: Pick<Use, "receiver">,
  definer: string,
): boolean {
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
  const component = await componentOf(names, file.path);
  // An element of the component's own name may also be one of a library.
  if (component === undefined || isOwnElement(component, use, path)) return byName;
  const own = { ...use, receiver: receiverFrom(component, use, path), owner: component.number };
  const resolution = await resolve(component.file, own);
  return resolution.kind === "name" ? byName : resolution;
}

function isOwnElement({ facts }: SymbolRef, { name }: Use, path: string): boolean {
  return name === facts.name || path === `@${facts.name}`;
}

function receiverFrom({ number }: SymbolRef, { name }: Use, path: string): string {
  // The name of an attribute.
  if (path.startsWith("@")) return path;
  // An element or a filter names the class of a component or of a pipe.
  if (path === "") return /^\p{Lu}\w*(?:Component|Pipe)$/u.test(name) ? "" : `#${number}`;
  return `#${number}.${path}`;
}

/** The component in the file that belongs to a template of Angular; undefined if there is none or if it is not certain. */
async function componentOf(names: NameResolver, path: string): Promise<SymbolRef | undefined> {
  if (!path.endsWith(".html")) return undefined;
  const file = await names.context.symbols.file(path.replace(/html$/, "ts"));
  const classes = file?.symbols.flatMap(({ kind }, number) => {
    const ref = kind === "class" ? symbolRef(file, number) : undefined;
    return ref === undefined ? [] : [ref];
  });
  const components = classes?.filter(({ facts }) => facts.name.endsWith("Component")) ?? [];
  const [first, second] = components.length > 0 ? components : (classes ?? []);
  return second === undefined ? first : undefined;
}
