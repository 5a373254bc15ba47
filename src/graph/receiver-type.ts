// The types of expressions that have one.

import { isType, type SymbolRef } from "./entity.ts";
import type { EvaluationPlace } from "./evaluate-base.ts";
import { evaluateReceiver } from "./evaluate-expression.ts";
import type { NameResolver } from "./name-resolver.ts";

/** Returns the type of an expression's value; undefined if it is unknown, or a container. */
export async function evaluateType(
  names: NameResolver,
  place: EvaluationPlace,
  text: string,
): Promise<SymbolRef | undefined> {
  const entity = await evaluateReceiver(names, place, text);
  return entity?.kind === "instance" && entity.layers === 0 ? entity.type : undefined;
}

/** Returns the type whose member a receiver has; undefined if it is unknown. */
export async function evaluateReceiverType(
  names: NameResolver,
  place: EvaluationPlace,
  text: string,
): Promise<SymbolRef | undefined> {
  const entity = await evaluateReceiver(names, place, text);
  if (entity?.kind === "instance") return entity.layers === 0 ? entity.type : undefined;
  return entity?.kind === "symbols" ? entity.symbols.find(isType) : undefined;
}
