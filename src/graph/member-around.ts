// Bare names that mean members of a type around them, in languages in which members need no receiver.

import { sideIn } from "./distinctions.ts";
import {
  definitionAround,
  isType,
  ownerName,
  symbolRef,
  symbolsEntity,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { isConstructor } from "./own-names.ts";
import { memberOfSelfType } from "./self-types.ts";
import type { TypeMembers } from "./type-members.ts";

/** A bare name. `owner`: the number of the definition around it. */
export interface BareName {
  readonly name: string;
  readonly owner: number;
  readonly steps: number;
}

/** What resolves members and types. */
interface MemberResolver {
  readonly types: TypeMembers;
  readonly typeNamed: (
    file: ScopedFile,
    path: string,
    steps: number,
    owner?: number,
  ) => Promise<SymbolRef | undefined>;
}

/** Returns the member of the innermost type around a name that has one of that name; undefined if there is none. */
export async function memberAround(
  names: MemberResolver,
  file: ScopedFile,
  { name, owner, steps }: BareName,
): Promise<Entity | undefined> {
  const side = sideIn(symbolRef(file, owner));
  for (let around = symbolRef(file, owner); around !== undefined;) {
    // The name of the type refers to the type, not to its constructor.
    const isPossible = isType(around) && around.facts.name !== name;
    // oxlint-disable-next-line no-await-in-loop -- mostly known
    if (isPossible && (await names.types.mayHaveMember(around, name))) {
      // oxlint-disable-next-line no-await-in-loop -- innermost first
      const { found } = await names.types.members(around, name, steps + 1, side);
      const named = found.filter((ref) => !isConstructor(ref));
      if (named.length > 0) return symbolsEntity(named);
      // oxlint-disable-next-line no-await-in-loop -- as above
      const ofSelf = await memberOfSelfType(names, around, name, steps + 1);
      if (ofSelf !== undefined) return ofSelf;
    }
    const next = definitionAround(file, around);
    const outer = ownerName(around);
    // A member may be defined outside of its type.
    if (next === undefined && outer !== "") {
      // oxlint-disable-next-line no-await-in-loop -- as above
      return memberOutside(names, await names.typeNamed(file, outer, steps + 1), name, steps);
    }
    around = next;
  }
  return undefined;
}

/** Returns the type if it has the name, else its member of the name. */
async function memberOutside(
  names: MemberResolver,
  type: SymbolRef | undefined,
  name: string,
  steps: number,
): Promise<Entity | undefined> {
  if (type === undefined) return undefined;
  const { found } = await names.types.members(type, name, steps + 1);
  return symbolsEntity(type.facts.name === name ? [type] : found);
}
