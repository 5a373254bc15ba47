// Types of Swift: extensions are parts of them, and may be in any file.

import type { ResolutionContext } from "./resolution-context.ts";
import { isType, type ScopedFile, type SymbolRef } from "./entity.ts";

/** The marks in signatures; see the reader of Swift. */
const EXTENSION = "extension";
const PARAMETERS = "~";

/** A parameter of a function or of an enum case. */
export interface SwiftParameter {
  readonly label: string;
  /** An expression, or `^` and a function type. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly isVariadic: boolean;
}

/** Returns whether a file is one of Swift. */
export function isSwift({ language }: Pick<ScopedFile, "language">): boolean {
  return language === "swift";
}

/** Returns whether a definition is an extension of Swift. */
export function isSwiftExtension({ file, number }: SymbolRef): boolean {
  return isSwift(file) && file.signatures?.[number] === EXTENSION;
}

/** Returns the parameters of a function of Swift; undefined for other definitions. */
export function swiftParameters({
  file,
  number,
}: SymbolRef): readonly SwiftParameter[] | undefined {
  const text = file.signatures?.[number];
  if (!isSwift(file) || text?.startsWith(PARAMETERS) !== true) return undefined;
  if (text === PARAMETERS) return [];
  return text.slice(1).split(";").map(parameterOf);
}

function parameterOf(text: string): SwiftParameter {
  const colon = text.indexOf(":");
  const isOptional = text.endsWith("=");
  const rest = isOptional ? text.slice(colon + 1, -1) : text.slice(colon + 1);
  const isVariadic = rest.endsWith("...");
  const type = isVariadic ? rest.slice(0, -3) : rest;
  return { label: text.slice(0, colon), type, isOptional, isVariadic };
}

/** Returns the labels of a function as `open(_:mode:)` has them: "_,mode"; undefined for other definitions. */
export function swiftLabels(ref: SymbolRef): string | undefined {
  return swiftParameters(ref)
    ?.map(({ label }) => label)
    .join(",");
}

/** How a function fits the labels of a call: 2 exactly, 1 with defaults, 0 not at all. */
export function fitOfLabels(ref: SymbolRef, passed: string): 0 | 1 | 2 {
  const parameters = swiftParameters(ref);
  if (parameters === undefined) return 2;
  let at = 0;
  let isExact = true;
  let isOpen = false;
  const labels = passed === "" ? [] : passed.split(",");
  for (const [index, label] of labels.entries()) {
    // A variadic parameter takes all values without a label after its first.
    if (isOpen && label === "_") continue;
    let parameter = parameters[at];
    const isSkipped = (one: SwiftParameter): boolean =>
      !takes(one, label) ||
      (label === "&" &&
        one.isOptional &&
        needsBlock(parameters.slice(at + 1), labels.slice(index + 1)));
    while (parameter !== undefined && isSkipped(parameter)) {
      if (!parameter.isOptional && !parameter.isVariadic) return 0;
      isExact = false;
      at += 1;
      parameter = parameters[at];
    }
    if (parameter === undefined) return 0;
    isOpen = parameter.isVariadic;
    at += 1;
  }
  const left = parameters.slice(at);
  if (!left.every(({ isOptional, isVariadic }) => isOptional || isVariadic)) return 0;
  return isExact && left.length === 0 ? 2 : 1;
}

/** Whether a later parameter must have the block without a label: it has no default, and no other block is for it. */
function needsBlock(later: readonly SwiftParameter[], others: readonly string[]): boolean {
  return later.some(
    (one) => one.type.startsWith("^") && !one.isOptional && !others.includes(`&${one.label}`),
  );
}

/** The first block after the brackets has no label, the others have one after "&". */
function takes({ label, type, isOptional }: SwiftParameter, passed: string): boolean {
  if (!passed.startsWith("&")) return label === passed;
  if (passed !== "&") return label === passed.slice(1);
  // The type of a function may have a name.
  return type.startsWith("^") || (!isOptional && (type === "" || /^@[\w.]+$/.test(type)));
}

/** Returns the names of the type parameters of a type. */
export function typeParametersOf({ file, number }: SymbolRef): readonly string[] {
  const text = file.signatures?.[number] ?? "";
  return text.startsWith("<") ? text.slice(1, -1).split(",") : [];
}

/** Returns the own members of a type, in its definition and in all of its extensions. */
export async function swiftMembers(
  context: Pick<ResolutionContext, "symbols" | "siblingsOf">,
  type: SymbolRef,
  name: string,
): Promise<readonly SymbolRef[]> {
  const { qualifiedName } = type.facts;
  const all = await context.symbols.definitionsThat(
    name,
    (hit) => hit.qualifiedName === `${qualifiedName}.${name}`,
  );
  const members = all.filter((ref) => isSwift(ref.file) && !isSwiftExtension(ref));
  if (new Set(members.map((ref) => ref.file.path)).size < 2) return members;
  // Other modules may have a type of the same name.
  const types = await context.symbols.definitionsThat(
    type.facts.name,
    (hit) => hit.qualifiedName === qualifiedName && hit.kind !== "method",
  );
  const others = types.filter(
    (ref) => isType(ref) && !isSwiftExtension(ref) && ref.file.path !== type.file.path,
  );
  if (others.length === 0) return members;
  const own = members.filter((ref) => ref.file.path === type.file.path);
  if (own.length > 0) return own;
  const siblings = context.siblingsOf(type.file);
  return members.filter((ref) => ref.file.path === type.file.path || siblings.has(ref.file.path));
}
