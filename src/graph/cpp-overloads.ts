// Tells the overloads of C++ apart by the arguments of a call. Values may be converted in ways that no file shows, so an overload
// is left out only if it cannot be called, or if another one is certainly better.

import type { Use } from "../parse/references/references.ts";
import { isCallable, isSameSymbol, symbolsIn, type SymbolRef } from "./entity.ts";
import type { NameResolver } from "./name-resolver.ts";
import { haveSameParameters } from "./same-overload.ts";
import { parameterTexts, typeTextOf } from "./signature.ts";

/** The declarations and definitions of one function. */
interface Candidate {
  readonly symbols: readonly SymbolRef[];
  readonly parameters: readonly string[];
}

/** How well a value fits a parameter. "exact": without a conversion; "other": after one, if at all. */
type Fit = "exact" | "template" | "other" | "unknown" | "no";

const NUMBER =
  /^(?:(?:unsigned|signed|long|short|char|wchar|int|bool|float|double|s?size|ptrdiff)_?|u?int\d+_t|t$)+$/;

/** Of the definitions that a name refers to, returns those that a call may mean; none if it cannot call any of them. */
export async function calledInCpp(
  names: NameResolver,
  { arguments: passed = "", target }: Pick<Use, "arguments" | "target">,
  named: readonly SymbolRef[],
): Promise<readonly SymbolRef[]> {
  // A file shows only one of its definitions of the name.
  const [own] = target === -1 ? [] : named;
  const found =
    own === undefined
      ? named
      : symbolsIn(own.file, own.facts.qualifiedName).filter((one) => isSameSymbol(own, one));
  const all = candidatesAmong(found);
  if (all === undefined) return named;
  const values = passed === "" ? [] : passed.split(",");
  const fitting: Candidate[] = [];
  for (const one of all) {
    // oxlint-disable-next-line no-await-in-loop -- few
    if (await takes(names, one, values.length)) fitting.push(one);
  }
  const possible = fitting.filter((one) => !fitsOf(one, values).includes("no"));
  const left = possible.length === 0 ? fitting : possible;
  const best = left.find((one) =>
    left.every((other) => other === one || isBetter(one, other, values)),
  );
  return (best === undefined ? left : [best]).flatMap(({ symbols }) => symbols);
}

/** Undefined if the parameters of one are not known. */
function candidatesAmong(found: readonly SymbolRef[]): readonly Candidate[] | undefined {
  const all: { symbols: SymbolRef[]; parameters: readonly string[] }[] = [];
  for (const symbol of found) {
    const parameters = parameterTexts(symbol.file.signatures?.[symbol.number]);
    if (parameters === undefined || !isCallable(symbol)) return undefined;
    const same = all.find(({ symbols: [first] }) => first && haveSameParameters(first, symbol));
    if (same === undefined) all.push({ symbols: [symbol], parameters });
    else {
      same.symbols.push(symbol);
      // Only one of them has the defaults.
      same.parameters = same.parameters.map((text, at) =>
        text.includes("=") ? text : (parameters[at] ?? text),
      );
    }
  }
  return all;
}

/** Returns whether a function can be called with that many arguments. A declaration elsewhere may have defaults. */
async function takes(
  names: NameResolver,
  { symbols: [first], parameters }: Candidate,
  count: number,
): Promise<boolean> {
  const isOpen = parameters.at(-1)?.endsWith("...") === true;
  if (count > parameters.length && !isOpen) return false;
  const hasRest = (text: string, at: number): boolean => at < count || /[=.]$/.test(text);
  if (parameters.every((text, at) => hasRest(text, at))) return true;
  if (first === undefined) return false;
  const { name, qualifiedName } = first.facts;
  const elsewhere = await names.context.symbols.definitionsThat(
    name,
    (hit) => hit.qualifiedName === qualifiedName && hit.path !== first.file.path,
  );
  return elsewhere.some(
    (ref) =>
      haveSameParameters(first, ref) &&
      parameterTexts(ref.file.signatures?.[ref.number])?.every(hasRest) === true,
  );
}

function fitsOf({ parameters }: Candidate, values: readonly string[]): readonly Fit[] {
  return values.map((value, at) => fitOf(value, parameterAt(parameters, at)));
}

function parameterAt(parameters: readonly string[], at: number): string {
  return typeTextOf(parameters[at] ?? parameters.at(-1) ?? "?");
}

/** Returns whether one fits better for each argument for which the parameters differ. */
function isBetter(one: Candidate, other: Candidate, values: readonly string[]): boolean {
  const others = fitsOf(other, values);
  let isSame = true;
  for (const [at, fit] of fitsOf(one, values).entries()) {
    if (parameterAt(one.parameters, at) === parameterAt(other.parameters, at)) continue;
    const otherFit = others[at] ?? "unknown";
    // Another name of the same type would be the same parameter.
    if (fit === "exact" ? otherFit === "exact" : fit !== "template" || otherFit !== "other")
      return false;
    isSame = false;
  }
  return !isSame;
}

function fitOf(passed: string, parameter: string): Fit {
  if (passed === "?" || parameter === "?") return "unknown";
  const wanted = typeOf(parameter);
  const type = typeOf(passed.replace(/^[@:]/, ""));
  if (parameter.startsWith("$")) return ofTemplate(type, parameter);
  // Neither a null pointer nor a function is a number.
  if (/^[!^]/.test(passed)) return NUMBER.test(wanted) ? "no" : "unknown";
  if (type === wanted || (type === "0" && wanted === "int")) return ofSameType(passed, parameter);
  return type === "?" ? "unknown" : withConversion(type, wanted);
}

/** A parameter `Foo&&` takes no variable. What is moved or new fits it better than a `Foo`. */
function ofSameType(passed: string, parameter: string): Fit {
  const isMoved = passed.endsWith("&&");
  const isTaken = parameter.endsWith("&&");
  if (isMoved === isTaken) return "exact";
  const isLiteral = /^:0$|^@(?:int|bool|char|double)$/.test(passed);
  return isMoved || isLiteral ? "other" : "no";
}

/** A parameter that is a pointer takes pointers only. */
function ofTemplate(type: string, parameter: string): Fit {
  if (!parameter.includes("*")) return "template";
  return NUMBER.test(type) ? "no" : "unknown";
}

function withConversion(type: string, wanted: string): Fit {
  const isNumber = NUMBER.test(type);
  const isPointer = type.endsWith("*");
  if (wanted.endsWith("*")) {
    if (isNumber) return "no";
    return isPointer ? ofPointers(type.slice(0, -1), wanted.slice(0, -1)) : "unknown";
  }
  if (NUMBER.test(wanted)) return isPointer ? fromPointer(wanted) : ofNumbers(type, wanted);
  // A number is no instance of a template. Other names may stand for a number or a pointer.
  return wanted.endsWith("<>") && (isNumber || isPointer) ? "other" : "unknown";
}

function fromPointer(wanted: string): Fit {
  return wanted === "bool" ? "other" : "no";
}

/** `int32_t` is another name of `int`. */
function ofNumbers(type: string, wanted: string): Fit {
  const isSure = !type.endsWith("_t") && !wanted.endsWith("_t");
  return isSure && (type === "0" || NUMBER.test(type)) ? "other" : "unknown";
}

function ofPointers(type: string, wanted: string): Fit {
  if (wanted === "void") return "other";
  return NUMBER.test(type) && NUMBER.test(wanted) ? "no" : "unknown";
}

/** Returns a type without marks of references. */
function typeOf(text: string): string {
  const [, name = "", stars = ""] = /^([^*&]*)(\**)/.exec(text) ?? [];
  return name + stars;
}
