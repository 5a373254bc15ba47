// Compares two declarations of one definition and lists the differences that matter to its users.

import { isCallableKind, isValueKind } from "../../base/definition-kinds.ts";
import { languageFamily } from "../../base/language-families.ts";
import type { ApiDetail } from "../api/api-changes.ts";
import type { ApiDeclaration } from "./declaration.ts";
import { hasNamedArguments, spaced, splitOutside, type ApiParameter } from "./parameters.ts";

/** Compares all declarations of one name: overloads, or a declaration and its definition. */
export function compareDeclarations(
  before: readonly ApiDeclaration[],
  now: readonly ApiDeclaration[],
): readonly ApiDetail[] {
  const [olds, news] = [callable(before), callable(now)];
  const [one, other] = [olds[0], news[0]];
  if (one === undefined || other === undefined) return [];
  if (olds.length === 1 && news.length === 1) return compareTwo(one, other);
  const remaining = [...news];
  const gone = olds.filter((old) => {
    const at = remaining.findIndex((each) => compareTwo(old, each).length === 0);
    if (at !== -1) remaining.splice(at, 1);
    return at === -1;
  });
  const [lost, added] = [gone[0], remaining[0]];
  if (gone.length === 1 && remaining.length === 1 && lost !== undefined && added !== undefined)
    return compareTwo(lost, added);
  return [
    ...gone
      // A new one that takes all the same arguments is in its place.
      .filter(
        (old) => !news.some((each) => compareTwo(old, each).every(({ isBreaking }) => !isBreaking)),
      )
      .map(({ signature }) => detail("overload removed", true, { before: signature })),
    ...remaining.map(({ signature }) => detail("overload added", false, { after: signature })),
  ];
}

/** In Python a call runs the last definition, whatever its overloads declare. */
function callable(all: readonly ApiDeclaration[]): readonly ApiDeclaration[] {
  const last = all.findLast(({ modifiers }) => !modifiers.has("overload"));
  return last !== undefined && languageFamily(last.language) === "python" ? [last] : all;
}

function compareTwo(before: ApiDeclaration, now: ApiDeclaration): readonly ApiDetail[] {
  const kinds = kindDetail(before, now);
  if (kinds !== undefined) return kinds;
  const details = modifierDetails(before, now);
  if (before.parameters !== undefined && now.parameters !== undefined)
    details.push(...parameterDetails(before.parameters, now.parameters, now.language));
  if (before.type !== now.type) details.push(...typeDetails(before, now));
  details.push(...baseDetails(before, now));
  if (before.rest !== now.rest) details.push(restDetail(before, now));
  return details;
}

function detail(
  what: ApiDetail["what"],
  isBreaking: boolean,
  facts: Partial<Pick<ApiDetail, "parameter" | "before" | "after">> = {},
): ApiDetail {
  return { what, isBreaking, parameter: "", before: "", after: "", ...facts };
}

/** Undefined for the same kind of thing. */
function kindDetail(before: ApiDeclaration, now: ApiDeclaration): readonly ApiDetail[] | undefined {
  const [one, other] = [useOf(before), useOf(now)];
  if (one === other) return undefined;
  const facts = { before: one, after: other };
  const isValue = one === "value" || other === "value";
  const isProperty = before.modifiers.has("property") || now.modifiers.has("property");
  // A value without a type may be callable.
  if (isValue && !isProperty && before.type === "" && now.type === "") return [];
  // In Python a class is called like a function.
  const isCalled =
    one === "function" && other === "class" && languageFamily(now.language) === "python";
  return [detail("kind", !isValue && !isCalled, facts)];
}

function useOf({ kind, modifiers }: ApiDeclaration): string {
  if (modifiers.has("property") || isValueKind(kind)) return "value";
  return isCallableKind(kind) ? "function" : kind;
}

function modifierDetails(before: ApiDeclaration, now: ApiDeclaration): ApiDetail[] {
  const changed = (modifier: string): boolean =>
    before.modifiers.has(modifier) !== now.modifiers.has(modifier);
  const details: ApiDetail[] = [];
  for (const modifier of ["static", "async", "suspend", "unsafe"]) {
    if (!changed(modifier)) continue;
    // A declared result says what the function returns.
    if (modifier === "async" && before.type !== "" && languageFamily(now.language) === "javascript")
      continue;
    details.push(
      detail(now.modifiers.has(modifier) ? "made" : "no longer", true, { after: modifier }),
    );
  }
  if (changed("optional"))
    details.push(detail(now.modifiers.has("optional") ? "made optional" : "made required", true));
  return details;
}

/** Types that no compiler checks break nobody. */
function isChecked(language: string): boolean {
  return languageFamily(language) !== "python" && language !== "ruby" && language !== "javascript";
}

function parameterDetails(
  before: readonly ApiParameter[],
  after: readonly ApiParameter[],
  language: string,
): readonly ApiDetail[] {
  const pairs = pairsOf(before, after, hasNamedArguments(language));
  const details: ApiDetail[] = [];
  const paired = new Set(pairs.map(([, one]) => one));
  for (const old of before) {
    if (pairs.some(([one]) => one === old)) continue;
    details.push(detail("parameter removed", true, { parameter: shown(old) }));
  }
  for (const [at, one] of after.entries()) {
    if (paired.has(one)) continue;
    const isBeforeOthers = after
      .slice(at + 1)
      .some((later) => paired.has(later) && isPositional(later));
    const isBreaking = !one.isOptional || (isPositional(one) && isBeforeOthers && !one.isRest);
    details.push(
      detail(one.isOptional ? "optional parameter added" : "parameter added", isBreaking, {
        parameter: shown(one),
      }),
    );
  }
  const order = pairs
    .filter(([old, one]) => isPositional(old) && isPositional(one))
    .map(([, one]) => after.indexOf(one));
  if (order.some((at, place) => at < (order[place - 1] ?? -1)))
    details.push(detail("parameters reordered", true));
  for (const [old, one] of pairs) details.push(...pairDetails(old, one, language));
  return details;
}

function isRequired({ isOptional, by }: ApiParameter): boolean {
  return !isOptional && by !== "name";
}

function isPositional({ by }: ApiParameter): boolean {
  return by !== "name";
}

function shown({ name, type }: ApiParameter): string {
  return name === "" ? type || "…" : name;
}

type Pair = readonly [ApiParameter, ApiParameter];

/** Parameters of one name, then those that are left between the same ones. */
function pairsOf(
  before: readonly ApiParameter[],
  now: readonly ApiParameter[],
  areNamed: boolean,
): readonly Pair[] {
  const pairs = new Map<ApiParameter, ApiParameter>();
  const take = (old: ApiParameter, one: ApiParameter | undefined): void => {
    if (one !== undefined && ![...pairs.values()].includes(one)) pairs.set(old, one);
  };
  for (const old of before) {
    // What takes any number of arguments has no name for callers.
    const isWanted = (one: ApiParameter): boolean =>
      one.name === old.name && (old.name !== "" || (old.isRest && one.isRest));
    take(old, now.find(isWanted));
  }
  for (const old of before) {
    const one = pairs.has(old) ? undefined : besideSame(old, { before, now, pairs });
    // With named arguments another name is mostly another parameter.
    const isGivenByPlace = !areNamed || (isRequired(old) && one !== undefined && isRequired(one));
    if (isGivenByPlace) take(old, one);
  }
  return before.flatMap((old): Pair[] => {
    const one = pairs.get(old);
    return one === undefined ? [] : [[old, one]];
  });
}

/** The parameter between those of the new version that its neighbours have become. */
function besideSame(
  old: ApiParameter,
  {
    before,
    now,
    pairs,
  }: {
    readonly before: readonly ApiParameter[];
    readonly now: readonly ApiParameter[];
    readonly pairs: ReadonlyMap<ApiParameter, ApiParameter>;
  },
): ApiParameter | undefined {
  const at = before.indexOf(old);
  const [left, right] = [before[at - 1], before[at + 1]];
  const [previous, next] = [left && pairs.get(left), right && pairs.get(right)];
  if (left !== undefined && previous === undefined) return undefined;
  const place = previous === undefined ? at : now.indexOf(previous) + 1;
  const isBetween = next === undefined ? before.length === now.length : now[place + 1] === next;
  return isBetween ? now[place] : undefined;
}

function pairDetails(old: ApiParameter, one: ApiParameter, language: string): readonly ApiDetail[] {
  const details: ApiDetail[] = [];
  const parameter = shown(one);
  if (old.name !== one.name && hasNamedArguments(language) && old.by !== "position")
    details.push(
      detail("parameter renamed", true, { parameter, before: old.name, after: one.name }),
    );
  if (old.isOptional !== one.isOptional) {
    const isBreaking = old.isOptional;
    details.push(
      detail(isBreaking ? "parameter made required" : "parameter made optional", isBreaking, {
        parameter,
      }),
    );
  }
  if (old.by !== one.by) {
    const isBreaking = one.by !== "either";
    details.push(
      detail("parameter given differently", isBreaking, {
        parameter,
        before: old.by,
        after: one.by,
      }),
    );
  }
  const [before, after] = [plainType(old.type, language), plainType(one.type, language)];
  if (before !== after && !(language === "rust" && before === "")) {
    const isBreaking = isChecked(language) && !isWider(after, before) && after !== "";
    details.push(
      detail("parameter type", isBreaking, { parameter, before: old.type, after: one.type }),
    );
  }
  if (old.value !== one.value && old.value !== "" && one.value !== "")
    details.push(detail("default", false, { parameter, before: old.value, after: one.value }));
  return details;
}

/** Python has several ways to write one type. */
function plainType(type: string, language: string): string {
  if (languageFamily(language) !== "python") return type;
  let text = type
    .replace(/["']/g, "")
    .replace(/\b(?:t|typing|te|typing_extensions|cabc|collections\.abc|_t)\.(?=[A-Z])/g, "");
  text = text.replace(/\b(?<name>List|Dict|Set|Tuple|Type|FrozenSet)\[/g, (found) =>
    found.toLowerCase(),
  );
  for (let last = ""; last !== text;) {
    last = text;
    text = text
      .replace(/\bOptional\[(?<inner>(?:[^[\]]|\[(?:[^[\]]|\[[^[\]]*\])*\])*)\]/, "$<inner> | None")
      .replace(/\bUnion\[(?<inner>(?:[^[\]]|\[(?:[^[\]]|\[[^[\]]*\])*\])*)\]/, (_, inner: string) =>
        splitOutside(inner, ",")
          .map((one) => one.trim())
          .join(" | "),
      );
  }
  return spaced(alternatives(text).join(" | "));
}

function alternatives(type: string): readonly string[] {
  return splitOutside(type.replace(/^\s*\|/, ""), "|")
    .map((one) => one.trim())
    .toSorted();
}

/** Whether the first type accepts all that the second accepts. */
function isWider(one: string, other: string): boolean {
  if (one === "any" || one === "unknown" || one === "Object") return true;
  const all = new Set(alternatives(one));
  return other !== "" && alternatives(other).every((part) => all.has(part));
}

function typeDetails(before: ApiDeclaration, now: ApiDeclaration): readonly ApiDetail[] {
  const { language } = now;
  const [old, type] = [plainType(before.type, language), plainType(now.type, language)];
  if (old === type) return [];
  const isCalled = now.parameters !== undefined;
  // A declared type in place of an inferred one may be the same.
  const isKnown = old !== "" && type !== "";
  const isNarrower = isCalled && isWider(old, type);
  const isBreaking = isKnown && isChecked(language) && !isNarrower;
  return [
    detail(isCalled ? "result type" : "type", isBreaking, { before: before.type, after: now.type }),
  ];
}

function baseDetails(before: ApiDeclaration, now: ApiDeclaration): readonly ApiDetail[] {
  const isLost = before.bases.some((one) => !now.bases.includes(one));
  if (!isLost && before.bases.length === now.bases.length) return [];
  // Members that were inherited are compared by themselves.
  const isStructural = ["python", "javascript"].includes(languageFamily(now.language));
  const isBreaking = isLost && !isStructural;
  return [
    detail("bases", isBreaking, { before: before.bases.join(", "), after: now.bases.join(", ") }),
  ];
}

function restDetail(before: ApiDeclaration, now: ApiDeclaration): ApiDetail {
  const facts = { before: before.rest, after: now.rest };
  // Parameters with defaults may follow.
  const isLonger = now.rest.startsWith(before.rest.replace(/[>\]]$/, "")) && now.rest.includes("=");
  const isAlias = /^(?:export |declare |pub )*(?:type|typealias|using|typedef)\b/.test(now.rest);
  const isWidened =
    isAlias &&
    isWider(aliased(now.rest), aliased(before.rest)) &&
    !isWider(aliased(before.rest), aliased(now.rest));
  return detail(isAlias ? "type" : "type parameters", !isLonger && !isWidened, facts);
}

function aliased(text: string): string {
  return text.slice(text.indexOf("=") + 1);
}
