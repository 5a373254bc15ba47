// Arguments of Scala with the names of parameters.

import type { Use } from "../parse/references/references.ts";
import { symbolsEntity, type Entity } from "./entity.ts";
import type { EvaluationPlace } from "./evaluate-base.ts";
import type { NameResolver } from "./name-resolver.ts";
import { evaluateReceiverType } from "./receiver-type.ts";
import { caseParameters } from "./scala-types.ts";

/** Returns the parameter of a case class that an argument names: `Person(name = "Ada")`. */
export async function caseParameterNamed(
  names: NameResolver,
  place: EvaluationPlace,
  { receiver, name }: Pick<Use, "receiver" | "name">,
): Promise<Entity | undefined> {
  const type = await evaluateReceiverType(names, place, receiver);
  const found = type === undefined ? [] : caseParameters(type);
  return symbolsEntity(found.filter(({ facts }) => facts.name === name));
}
