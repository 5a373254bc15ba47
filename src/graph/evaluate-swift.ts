// Evaluates what calls of Swift expect: the types of parameters, and those of the parameters of functions that are passed.

import { isCallable, isType, symbolsIn, type Entity, type SymbolRef } from "./entity.ts";
import type { Evaluate } from "./evaluate-base.ts";
import type { NameResolver } from "./name-resolver.ts";
import { swiftMembers, swiftParameters, type SwiftParameter } from "./swift-types.ts";

type Found = Promise<Entity | undefined>;

/** What a function type in a signature begins with. */
const FUNCTION = "^";

/** A parameter, and the definition whose type parameters and names it uses. */
interface Place {
  readonly ref: SymbolRef;
  /** An expression. */
  readonly type: string;
}

/** Evaluates parameters. Unknown values are undefined. */
export class SwiftEvaluator {
  readonly #evaluation: { readonly evaluate: Evaluate };

  constructor(evaluation: { readonly evaluate: Evaluate }) {
    this.#evaluation = evaluation;
  }

  /**
   * Returns the type of the argument with a label, or with an index among those without one, of a function or of a type that is
   * constructed. "label/0": the type of the first parameter of the function that is passed; "_" is the block after the
   * brackets. Undefined if overloads differ.
   */
  async parameterOf(
    names: NameResolver,
    called: readonly SymbolRef[],
    key: string,
    steps: number,
  ): Found {
    const [label = "", inner] = key.split("/");
    const types = called.filter(isType);
    const [type] = types;
    const functions = type === undefined ? called : await swiftMembers(names.context, type, "init");
    const places = functions.flatMap((ref) => placesOf(ref, label, inner));
    if (type !== undefined && functions.length === 0 && inner === undefined) {
      const fields = symbolsIn(type.file, `${type.facts.qualifiedName}.${label}`);
      for (const ref of fields) places.push({ ref, type: ref.file.types[ref.number] ?? "" });
    }
    const [first, ...others] = places;
    if (first === undefined || first.type === "") return undefined;
    if (others.some((other) => other.type !== first.type)) return undefined;
    const { file, number } = first.ref;
    return this.#evaluation.evaluate(names, { file, owner: number }, first.type, steps + 1);
  }
}

/** Returns the types that the parameter has in an overload: none if it has no such parameter. */
function placesOf(ref: SymbolRef, label: string, inner: string | undefined): Place[] {
  const parameters = swiftParameters(ref);
  if (parameters === undefined) return [];
  const parameter = parameterWith(ref, parameters, label);
  if (parameter === undefined) return [];
  const isFunction = parameter.type.startsWith(FUNCTION);
  if (inner === undefined) return [{ ref, type: isFunction ? "" : parameter.type }];
  if (!isFunction) return [];
  const list = parameter.type.slice(1, parameter.type.lastIndexOf(">")).split(",");
  return [{ ref, type: list[Number(inner)] ?? "" }];
}

function parameterWith(
  ref: SymbolRef,
  parameters: readonly SwiftParameter[],
  label: string,
): SwiftParameter | undefined {
  if (/^\d+$/.test(label)) {
    // A pattern may leave out the labels of a case.
    const plain = isCallable(ref) ? parameters.filter((one) => one.label === "_") : parameters;
    return plain[Number(label)];
  }
  if (label !== "_") return parameters.find((one) => one.label === label);
  return parameters.findLast((one) => one.type.startsWith(FUNCTION));
}
