// Uses of Dart that need the type of an object: members of extensions, and arguments with the names of fields.

import { OR_NARROWED } from "../base/receiver-marks.ts";
import type { Use } from "../parse/references/references.ts";
import { dartExtensions } from "./dart-extensions.ts";
import {
  isType,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { evaluateReceiver } from "./evaluate-expression.ts";
import { extensionMember } from "./extension-members.ts";
import type { NameResolver } from "./name-resolver.ts";
import { evaluateReceiverType } from "./receiver-type.ts";

/** A constructor passes arguments on to that of a type above, up to here. */
const MAX_ABOVE = 20;

/** Returns the members of extensions that a use refers to; none if the type of its receiver is unknown. */
export async function extensionsOfValue(
  names: NameResolver,
  file: ScopedFile,
  { name, receiver, owner }: Pick<Use, "name" | "receiver" | "owner">,
): Promise<readonly SymbolRef[]> {
  for (const text of receiver.split(OR_NARROWED)) {
    const [, written, layers = ""] = /^@(?:[\w$]+\.)*([\w$]+)(\**)$/.exec(text) ?? [];
    // oxlint-disable-next-line no-await-in-loop -- one or two
    const entity = text === "?" ? undefined : await evaluateReceiver(names, { file, owner }, text);
    if (entity?.kind === "instance") {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const added = await extensionMember(names, file, entity, name);
      if (added?.kind === "symbols") return added.symbols;
    } else if (written !== undefined) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      const found = await dartExtensions(names, file, name, [written + layers]);
      if (found.length > 0) return found;
    }
  }
  return [];
}

/** Returns the field that an argument with a name sets in the object that a constructor makes. */
export async function fieldOfArgument(
  names: NameResolver,
  { file, owner }: { readonly file: ScopedFile; readonly owner: number },
  { receiver, name }: Pick<Use, "receiver" | "name">,
): Promise<Entity | undefined> {
  const type = await evaluateReceiverType(names, { file, owner }, receiver);
  return type && fieldSetBy(names, type, name);
}

/** Returns what `this.name` of a constructor sets, or `super.name` of one below. */
async function fieldSetBy(
  names: Pick<NameResolver, "types">,
  type: SymbolRef,
  name: string,
): Promise<Entity | undefined> {
  let own: SymbolRef | undefined = type;
  for (let left = MAX_ABOVE; left > 0 && own !== undefined; left -= 1) {
    const { file, facts }: SymbolRef = own;
    const marks = file.symbols.flatMap((one, number) =>
      one.qualifiedName === `${facts.qualifiedName}.${one.name}`
        ? (file.signatures?.[number] ?? "").split(" ")
        : [],
    );
    if (marks.includes(`.${name}`)) {
      return symbolsEntity(symbolsIn(file, `${facts.qualifiedName}.${name}`));
    }
    // `class Name = Base with Mixin` has the constructors of its base, and nothing else.
    const isAlias = !file.symbols.some((one) =>
      one.qualifiedName.startsWith(`${facts.qualifiedName}.`),
    );
    if (!isAlias && !marks.includes(`^${name}`)) return undefined;
    // oxlint-disable-next-line no-await-in-loop -- up the inheritance chain
    const above: readonly (SymbolRef | undefined)[] = await names.types.supertypes(own);
    own = above.find((one) => one !== undefined && isType(one));
  }
  return undefined;
}
