// Evaluates the expressions of references.ts: returns the entities that they refer to.

import { OR_ELSE } from "../base/receiver-marks.ts";
import { OUTSIDE, type Entity, type SymbolRef } from "./entity.ts";
import { withConstructors } from "./dart-definitions.ts";
import { BaseArguments, isOfDart } from "./dart-types.ts";
import { extensionMember } from "./extension-members.ts";
import { isFromFunction, parseExpression, type Step } from "./expression.ts";
import { mappedBy, mappingResult, isTransparentMember, mayLeadBack } from "./container-methods.ts";
import {
  calledInSwift,
  elementsOfField,
  isPlainResult,
  memberOfResult,
  SwiftEvaluator,
  withSelf,
} from "./evaluate-swift.ts";
import { RubyEvaluator } from "./evaluate-ruby.ts";
import { nameRules } from "./name-rules.ts";
import type { NameResolver } from "./name-resolver.ts";
import { MAX_STEPS } from "./resolution-context.ts";
import {
  evaluateBase,
  namedInFull,
  specialMember,
  withLongestName,
  type EvaluationPlace,
} from "./evaluate-base.ts";
import { ValueNarrowing } from "./narrow-value.ts";
import { isTypeTest, type Narrowing } from "./narrowing.ts";
import { PassedValues } from "./passed-values.ts";
import { ResultEvaluator } from "./evaluate-result.ts";
import { ElementEvaluator } from "./evaluate-element.ts";
import { asScala, collectionResultOf, ScalaEvaluator } from "./evaluate-scala.ts";
import { objectAmong, objectMeant, withSameMembers } from "./script-objects.ts";
import { isSwift } from "./swift-types.ts";
import { parameterInZig, withoutInstance } from "./evaluate-zig.ts";
import { isGeneric, TypeArgumentReader, typesIn, type GivenTypes } from "./type-arguments.ts";
import { ShapeEvaluator } from "./evaluate-shape.ts";
import { UnderlyingTypes } from "./underlying-types.ts";
import { valueAmong, memberOfAll, typesOfUnion } from "./union-types.ts";

type Found = Promise<Entity | undefined>;

/** Returns the entity that an expression refers to, or undefined if it is unknown. */
async function evaluate(
  names: NameResolver,
  { file, owner: around, arguments: types }: EvaluationPlace,
  text: string,
  steps = 0,
): Promise<Entity | undefined> {
  if (steps > MAX_STEPS) return undefined;
  // Elsewhere a name means the same in all of the file, and is resolved once.
  const owner = nameRules(file.language).hasImplicitThis === true ? around : -1;
  const isOpen = types !== undefined && (isGeneric(text) || isSwift(file));
  const place = isOpen ? { file, owner, arguments: types } : { file, owner };
  const given = isOpen ? types.key : "";
  const key = `expression ${names.level} ${file.id} ${owner} ${text} ${given}`;
  return names.context.memo.getOrResolve(key, steps, () => evaluateText(names, place, text, steps));
}

async function evaluateText(
  names: NameResolver,
  place: EvaluationPlace,
  text: string,
  steps: number,
): Promise<Entity | undefined> {
  if (text.includes(OR_ELSE)) {
    return evaluateUnion(names, place, text.split(OR_ELSE), steps);
  }
  const { haveTypesOwnNames = false } = nameRules(place.file.language);
  const plain = withoutInstance(place.file, text);
  const expression = parseExpression(plain, haveTypesOwnNames || isSwift(place.file));
  if (expression === undefined) return undefined;
  const ofSwift = isSwift(place.file) && (await SWIFT.start(names, place, expression, steps));
  if (ofSwift) return evaluateSteps(names, place, ofSwift, steps);
  const { base } = expression;
  if (base.kind === "parameter") {
    const known = await place.arguments?.find(base.key);
    const start = known ?? (await evaluate(names, place, base.bound || "?", steps + 1));
    return evaluateSteps(names, place, { start, path: expression.steps, first: 0 }, steps);
  }
  const { file } = place;
  const named = withLongestName(file, { ...expression, base });
  const { entity, taken } = await evaluateBase(names, place, named, steps + 1);
  const start =
    (await UNDERLYING.withoutOtherName(names, entity, steps)) ??
    (haveTypesOwnNames ? await RESULTS.membersIn(names, place, named.base, steps) : undefined);
  return evaluateSteps(names, place, { start, path: named.steps, first: taken }, steps);
}

async function evaluateSteps(
  names: NameResolver,
  place: EvaluationPlace,
  {
    start,
    path,
    first,
  }: {
    readonly start: Entity | undefined;
    readonly path: readonly Step[];
    readonly first: number;
  },
  steps: number,
): Promise<Entity | undefined> {
  const { file } = place;
  let entity = start;
  let taken = first;
  for (const [at, step] of path.entries()) {
    if (at < taken) continue;
    if (step.kind === "narrowed") {
      const narrowing = { value: entity, condition: step.condition };
      // oxlint-disable-next-line no-await-in-loop -- each step starts from the one before
      entity = await narrowedValue(names, place, narrowing, steps + 1);
      continue;
    }
    if (entity === undefined || entity.kind === "outside") {
      // Of what is unknown, or of a library, a condition may tell the type.
      taken = path.findIndex((one, later) => later > at && isTypeTest(one));
      if (taken === -1) return entity && outsideOr(path.slice(at), file.language);
      entity = undefined;
      continue;
    }
    const next: Step | undefined = path[at + 1];
    const mapping = next?.kind === "applied" ? mappingResult(entity, step, next.passed) : undefined;
    if (mapping !== undefined) {
      taken = at + 2;
      // oxlint-disable-next-line no-await-in-loop -- as above
      entity = mappedBy(step, await RESULTS.valueIn(names, place, mapping, steps + 1));
      continue;
    }
    const isCalled = isFromFunction(next);
    // oxlint-disable-next-line no-await-in-loop -- each step starts from the one before
    entity = await afterStep(names, place, { entity, step, isCalled }, steps + 1);
  }
  return entity;
}

/** Returns a value with the types that a condition leaves. */
async function narrowedValue(
  names: NameResolver,
  place: EvaluationPlace,
  { value, condition }: { readonly value: Entity | undefined; readonly condition: Narrowing },
  steps: number,
): Promise<Entity | undefined> {
  // A field is replaced by its value.
  const object = value?.kind === "symbols" ? await valueOf(names, value.symbols, steps) : value;
  const left = await NARROWING.of(names, place, { value: object, condition }, steps);
  return object === undefined ? (left ?? value) : left;
}

/** What a library passes to a function may be a value of the project. */
function outsideOr(path: readonly Step[], language: string): Entity | undefined {
  return path.some((one) => mayLeadBack(one, language)) ? undefined : OUTSIDE;
}

async function afterStep(
  names: NameResolver,
  place: EvaluationPlace,
  {
    entity,
    step,
    isCalled,
  }: {
    readonly entity: Entity;
    readonly step: Exclude<Step, { kind: "narrowed" }>;
    readonly isCalled: boolean;
  },
  steps: number,
): Promise<Entity | undefined> {
  if (step.kind === "applied") {
    return TYPE_ARGUMENTS.applied(names, place, { entity, passed: step.passed }, steps);
  }
  const found = await applyStep(names, entity, { step, isCalled }, steps);
  if (found !== undefined && found.kind !== "outside") return found;
  if (step.kind === "member") {
    const value = entity.kind === "symbols" ? await valueOf(names, entity.symbols, steps) : entity;
    const added = value && (await extensionMember(names, place.file, value, step.name));
    if (added?.kind !== "symbols") return found;
    return isCalled ? added : ((await valueOf(names, added.symbols, steps)) ?? added);
  }
  if (found !== undefined || step.kind !== "call") return found;
  return SHAPES.passedObject(names, place, { called: entity, passed: step.classes }, steps);
}

/** Returns a value that is one of some expressions: objects of each type that is known. */
async function evaluateUnion(
  names: NameResolver,
  place: EvaluationPlace,
  texts: readonly string[],
  steps: number,
): Promise<Entity | undefined> {
  const parts = texts.map((text) => evaluate(names, place, text, steps + 1));
  return valueAmong((await Promise.all(parts)).map(objectMeant));
}

/** Evaluates the receiver of a member. A constant or field is replaced by its value. Returns undefined if it is unknown. */
export async function evaluateReceiver(
  names: NameResolver,
  place: EvaluationPlace,
  text: string,
): Promise<Entity | undefined> {
  const entity = await evaluate(names, place, text);
  if (entity?.kind !== "symbols" || objectAmong(entity) !== undefined) return entity;
  return (await valueOf(names, entity.symbols, 0)) ?? entity;
}

/** Returns the meaning of a name as a member of an expression, or undefined if it is unknown. */
export async function evaluateMember(
  names: NameResolver,
  place: EvaluationPlace,
  { receiver, name }: { receiver: string; name: string },
): Promise<Entity | undefined> {
  const within = await evaluateReceiver(names, place, receiver);
  const member = within && (await memberOf(names, within, name, 0));
  if (member?.kind === "symbols") return member;
  return (await namedInFull(names, place, { receiver, name })) ?? member;
}

async function memberOf(
  names: NameResolver,
  entity: Entity,
  name: string,
  steps: number,
): Promise<Entity | undefined> {
  if (isPlainResult(entity) || (entity.kind === "instance" && entity.layers > 0)) return OUTSIDE;
  if (entity.kind === "shape") return SHAPES.memberOf(names, entity, name, steps);
  const types = typesOfUnion(entity);
  if (types !== undefined) return memberOfEach(names, types, name, steps);
  const found = await names.within(entity, name, steps);
  if (found?.kind === "symbols") return found;
  const other = await underlying(names, entity, steps);
  if (other !== undefined) return memberOf(names, other, name, steps + 1);
  return entity.kind === "instance" && isTransparentMember(entity.type, name) ? OUTSIDE : found;
}

/** Returns what a name means as a member of an object that may have several types. */
async function memberOfEach(
  names: NameResolver,
  types: readonly Entity[],
  name: string,
  steps: number,
): Promise<Entity | undefined> {
  if (steps > MAX_STEPS) return undefined;
  const found = await Promise.all(types.map((type) => memberOf(names, type, name, steps + 1)));
  return memberOfAll(found);
}

/** Returns what is behind a value: the target of an alias, what a wrapper holds, or the value of a constant. */
async function underlying(names: NameResolver, entity: Entity, steps: number): Found {
  return UNDERLYING.of(names, entity, steps);
}

interface FoundMember {
  readonly member: Entity | undefined;
  readonly name: string;
  readonly isCalled: boolean;
}

interface MemberStep {
  readonly step: Exclude<Step, { kind: "narrowed" | "applied" }>;
  /** Whether the result of this step is called next. */
  readonly isCalled: boolean;
}

/** Returns what is passed to a parameter of a function: its declared type, or in Ruby what calls pass. */
function parameterOf(
  names: NameResolver,
  entity: Entity,
  { index, key }: Extract<Step, { kind: "parameter" }>,
  steps: number,
): Promise<Entity | undefined> {
  return (
    SWIFT.parameterStep(names, entity, key, steps) ??
    parameterInZig({ evaluate, names }, entity, key, steps) ??
    RUBY.parameterStep(names, entity, key) ??
    SCALA.caseParameterOf(names, entity, index, steps) ??
    SHAPES.parameterOf(names, withConstructors(entity), index, steps)
  );
}

async function applyStep(
  names: NameResolver,
  entity: Entity,
  { step, isCalled }: MemberStep,
  steps: number,
): Promise<Entity | undefined> {
  if (step.kind === "element") return elementOf(names, entity, steps);
  if (step.kind === "several") return RESULTS.severalIn(names, entity, steps);
  if (step.kind === "parameter") return parameterOf(names, entity, step, steps);
  if (step.kind === "tested") return SHAPES.testedBy(names, entity, steps);
  if (entity.kind === "shape") {
    if (step.kind === "call") return SHAPES.resultOf(names, entity, steps);
    return SHAPES.valueOfMember(names, entity, step.name, steps);
  }
  if (step.kind === "call") {
    const called = calledInSwift(entity, step.classes);
    return called === undefined
      ? resultOf(names, entity, step.count, steps)
      : SWIFT.ofSelf(names, called, steps);
  }
  if (entity.kind === "instance" && entity.layers > 0)
    return collectionResultOf(entity, step.name, isCalled);
  // The only field of a tuple struct `struct Name(Type)`.
  if (/^\d+$/.test(step.name)) return underlying(names, entity, steps);
  const special = await specialMember(names, entity, step.name, steps);
  if (special !== undefined) return special;
  return memberOfValue(names, entity, { name: step.name, isCalled }, steps);
}

/** Returns the value of a member of an object, or of the value of a constant or a field. */
async function memberOfValue(
  names: NameResolver,
  entity: Entity,
  member: { readonly name: string; readonly isCalled: boolean },
  steps: number,
): Promise<Entity | undefined> {
  if (entity.kind !== "symbols" || objectAmong(entity) !== undefined)
    return memberAt(names, entity, member, steps);
  const value = await valueOf(names, entity.symbols, steps, typesIn(entity));
  const ofElements = value && elementsOfField(value, member.name);
  return ofElements ?? memberAt(names, value ?? entity, member, steps);
}

/** Returns the value of a member of an object that may have several types, or the member itself if it is called. */
async function memberInEach(
  names: NameResolver,
  types: readonly Entity[],
  member: { readonly name: string; readonly isCalled: boolean },
  steps: number,
): Promise<Entity | undefined> {
  if (member.isCalled) return memberOfEach(names, types, member.name, steps);
  return valueAmong(await Promise.all(types.map((one) => memberAt(names, one, member, steps + 1))));
}

async function memberAt(
  names: NameResolver,
  entity: Entity,
  { name, isCalled }: { name: string; isCalled: boolean },
  steps: number,
): Promise<Entity | undefined> {
  if (name.startsWith("@")) return RUBY.fieldOf(names, entity, name, steps);
  const ofResult = memberOfResult(entity, name, isCalled);
  if (ofResult !== undefined) return ofResult.value;
  const types = typesOfUnion(entity);
  if (types !== undefined) return memberInEach(names, types, { name, isCalled }, steps);
  const found = await names.within(entity, name, steps);
  const member = await TYPE_ARGUMENTS.ofMember(names, entity, found, steps);
  const known = await valueOfFound(names, entity, { member, name, isCalled }, steps);
  if (known !== undefined) return known;
  const same = withSameMembers(entity, name);
  if (same !== undefined) return same;
  const other = await underlying(names, entity, steps);
  if (other !== undefined) {
    return applyStep(names, other, { step: { kind: "member", name }, isCalled }, steps + 1);
  }
  const ofElements = await RUBY.memberOfElements(names, entity, name, steps);
  if (ofElements !== undefined) return ofElements;
  return entity.kind === "instance" && isTransparentMember(entity.type, name) ? entity : member;
}

/** Returns the value of a member that was found, or the member itself if it is called or has no known value. */
async function valueOfFound(
  names: NameResolver,
  entity: Entity,
  { member, name, isCalled }: FoundMember,
  steps: number,
): Promise<Entity | undefined> {
  if (member?.kind !== "symbols") return ARGUMENTS.ofMember(names, entity, name, steps);
  const own = withSelf(entity, member);
  if (isCalled) return own ?? member;
  if (own !== undefined) return (await SWIFT.ofSelf(names, own, steps)) ?? own;
  const value = await valueOf(names, member.symbols, steps, typesIn(member));
  return value ?? (await ARGUMENTS.ofMember(names, entity, name, steps)) ?? member;
}

/** Returns the value of a constant, field or property; undefined if its type is unknown. */
function valueOf(
  names: NameResolver,
  symbols: readonly SymbolRef[],
  steps: number,
  types?: GivenTypes,
): Promise<Entity | undefined> {
  return RESULTS.valueOf(names, symbols, steps, types);
}

/** Returns the result of a call: what a function returns, or an object of a class. */
function resultOf(
  names: NameResolver,
  entity: Entity,
  count: number,
  steps: number,
): Promise<Entity | undefined> {
  const ofScala = asScala(entity);
  if (ofScala !== undefined) return SCALA.resultOf(names, ofScala, steps);
  return RESULTS.resultOf(names, entity, count, steps);
}

const UNDERLYING = new UnderlyingTypes(evaluate);

const TYPE_ARGUMENTS = new TypeArgumentReader({
  evaluate,
  valueOf,
  resultOf,
  valueOfMember: (names, entity, name, steps) =>
    applyStep(names, entity, { step: { kind: "member", name }, isCalled: false }, steps),
});

const PASSED = new PassedValues({ evaluate, evaluateMember });

const RUBY = new RubyEvaluator({
  passedTo: (names, own, key) => PASSED.of(names, own, key),
  valueOf,
  assigned: (names, holder, name) => PASSED.assigned(names, holder, name),
  yieldedBy: (names, object, steps) => ELEMENTS.yieldedBy(names, object, steps),
});

const SWIFT = new SwiftEvaluator({ evaluate, valueOf, resultOf });

const SCALA = new ScalaEvaluator({
  valueOf,
  resultOfSymbols: (names, entity, count, steps) => RESULTS.resultOf(names, entity, count, steps),
});

const RESULTS = new ResultEvaluator({
  evaluate,
  underlying,
  resultOf,
  resultOfShape: (names, own, steps) => SHAPES.resultOf(names, own, steps),
  assigned: (names, holder, name) => PASSED.assigned(names, holder, name),
});

const ARGUMENTS = new BaseArguments(evaluate);

const NARROWING = new ValueNarrowing({
  evaluate,
  memberOf,
  underlying,
});

const ELEMENTS = new ElementEvaluator({ resultOf, valueOf, underlying, passed: PASSED });

function elementOf(names: NameResolver, entity: Entity, steps: number): Found {
  return isOfDart(entity) && entity.layers === 0
    ? ARGUMENTS.of(names, entity.type, steps)
    : ELEMENTS.of(names, entity, steps);
}

const SHAPES = new ShapeEvaluator({
  evaluate,
  memberOf,
  valueOfMember: (names, entity, name, steps) =>
    applyStep(names, entity, { step: { kind: "member", name }, isCalled: false }, steps),
  valueOf,
  elementOf,
  underlying,
});
