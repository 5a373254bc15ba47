// What an object also is in the body of a type: `self: Other =>` in Scala, and the type that an extension of Dart is on.

import { isDartExtension } from "./dart-definitions.ts";
import { symbolsEntity, type Entity, type ScopedFile, type SymbolRef } from "./entity.ts";
import { isConstructor } from "./own-names.ts";
import type { TypeMembers } from "./type-members.ts";

/** What resolves members and types. */
interface SelfResolver {
  readonly types: TypeMembers;
  readonly typeNamed: (
    file: ScopedFile,
    path: string,
    steps: number,
    owner: number,
  ) => Promise<SymbolRef | undefined>;
}

/** Returns a member of what an object also is in a type; undefined if there is none. */
export async function memberOfSelfType(
  names: SelfResolver,
  type: SymbolRef,
  name: string,
  steps: number,
): Promise<Entity | undefined> {
  for (const other of selfTypesOf(type)) {
    // oxlint-disable-next-line no-await-in-loop -- few
    const self = await names.typeNamed(type.file, other, steps, type.number);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const members = self && (await names.types.members(self, name, steps));
    // An extension of Dart does not see the constructors of its type.
    const found = members?.found.filter((ref) => !isConstructor(ref)) ?? [];
    if (found.length > 0) return symbolsEntity(found);
  }
  return undefined;
}

function selfTypesOf(type: SymbolRef): readonly string[] {
  const { file, number, facts } = type;
  const isScala = file.language === "scala" && /^(?:class|type)$/.test(facts.kind);
  if (!isScala && !isDartExtension(type)) return [];
  const self = file.types[number] ?? "";
  return [...self.matchAll(/@([\w$.]+)/g)].map(([, name = ""]) => name);
}
