import { compilerTarget, isRelation } from "../base/compiler-target.ts";
import {
  IN_MACRO,
  BY_NAME,
  OF_BASE,
  OF_EXPECTED,
  OF_SCOPE,
  OR_NARROWED,
  OUTERMOST,
} from "../base/receiver-marks.ts";
import { isStyleUse } from "../base/style-names.ts";
import type { Use } from "../parse/references/references.ts";
import { symbolsAt } from "./compiled-relations.ts";
import {
  OUTSIDE,
  isCallable,
  isExtension,
  isType,
  isTypeAndValue,
  ownerName,
  symbolRef,
  symbolsEntity,
  symbolsIn,
  type Entity,
  type ScopedFile,
  type SymbolRef,
} from "./entity.ts";
import { isOneName } from "./haskell-names.ts";
import { calledInCpp } from "./cpp-overloads.ts";
import { extensionsOfValue, fieldOfArgument } from "./dart-uses.ts";
import { calledExtensions } from "./csharp-extensions.ts";
import { isSetterToo, ofOwnSide, withTypeArguments } from "./distinctions.ts";
import type { EvaluationPlace } from "./evaluate-base.ts";
import { evaluateMember } from "./evaluate-expression.ts";
import { receiverOrBare } from "./expression.ts";
import { namespacesAround } from "./cpp-namespaces.ts";
import { globalMember } from "./global-members.ts";
import { canUse, hasBareMembers, nameRules } from "./name-rules.ts";
import { isCore } from "./open-types.ts";
import { constructorProperty, extensionsOfType } from "./kotlin-extensions.ts";
import type { NameResolver } from "./name-resolver.ts";
import { overloadsFor } from "./overloads.ts";
import { isConstructor } from "./own-names.ts";
import { constructedField } from "./python-fields.ts";
import { caseParameterNamed } from "./scala-arguments.ts";
import { resolveStyleUse } from "./style-uses.ts";
import { swiftResolution } from "./swift-uses.ts";
import { resolveInTemplate } from "./template-uses.ts";
import { meantInFolder } from "./terraform-names.ts";
import { zigResolution } from "./zig-uses.ts";
import type { UseResolution } from "./use-resolution.ts";

/**
 * Resolves a use in a file. A call of a type's name refers to the type, or with `toConstructors` to the constructor that
 * it calls.
 */
export async function resolveUse(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
  { toConstructors = false }: { readonly toConstructors?: boolean } = {},
): Promise<UseResolution> {
  if (!use.receiver.endsWith(OF_BASE)) return resolvePlain(names, file, use, toConstructors);
  const plain = { ...use, receiver: use.receiver.slice(0, -OF_BASE.length) };
  const found = await resolvePlain(names, file, plain, toConstructors);
  return found.kind === "exact" ? { ...found, isOfBase: true } : found;
}

/** Resolves a use without the mark of `super`. */
async function resolvePlain(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
  toConstructors: boolean,
): Promise<UseResolution> {
  if (file.language === "terraform") return resolveInFolder(names, file, use);
  if (isStyleUse(use)) return resolveStyleUse(names, file, use);
  if (use.receiver.startsWith(BY_NAME)) {
    return resolveInTemplate(names, file, use, (...own) => resolveUse(names, ...own));
  }
  const resolution = await resolveName(names, file, use);
  if (file.language === "swift" && compilerTarget(use.receiver) === undefined) {
    return swiftResolution(names, file, use, { resolution, toConstructors });
  }
  if (file.language === "zig") return zigResolution(names, use, resolution);
  if (resolution.kind !== "exact") return resolution;
  if (file.language === "csharp") {
    return { kind: "exact", symbols: await typesMeant(names, file, use, resolution.symbols) };
  }
  if (file.language === "ruby" || use.arguments === undefined || use.role === "inherit") {
    return resolution;
  }
  const isOfC = canUse(file.language, "c");
  return isOfC
    ? calledOrNone(names, use, resolution.symbols)
    : overloadOf(names, { file, use }, resolution, toConstructors);
}

async function calledOrNone(
  names: NameResolver,
  use: Use,
  symbols: readonly SymbolRef[],
): Promise<UseResolution> {
  const called = await calledInCpp(names, use, symbols);
  if (called.length > 0) return { kind: "exact", symbols: called };
  return { kind: "overloads", symbols, isByName: true };
}

/** Finds the overload that a use means. */
async function overloadOf(
  names: NameResolver,
  { file, use }: { readonly file: ScopedFile; readonly use: Use },
  resolution: Extract<UseResolution, { kind: "exact" }>,
  toConstructors: boolean,
): Promise<UseResolution> {
  const { symbols } = resolution;
  const type = use.role === "call" ? symbols.find(isType) : undefined;
  if (type !== undefined && !toConstructors) return resolution;
  const found = type === undefined ? symbols : constructorsOf(type);
  if (!found.some(isCallable)) return type === undefined ? resolution : { kind: "outside" };
  const { called, possible } = await overloadsFor(names, { file, use }, found);
  if (called !== undefined) return { kind: "exact", symbols: [called] };
  return possible.length === 0 ? { kind: "outside" } : { kind: "overloads", symbols: possible };
}

async function resolveInFolder(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
): Promise<UseResolution> {
  const { symbols, isByName } = await meantInFolder(names, file, use);
  if (symbols.length === 0) return { kind: "outside" };
  return isByName === true ? { kind: "overloads", symbols, isByName } : { kind: "exact", symbols };
}

/** Returns the types that a name of C# refers to; the definitions as they are if it refers to none. */
async function typesMeant(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
  symbols: readonly SymbolRef[],
): Promise<readonly SymbolRef[]> {
  const types = symbols.some(isType) ? [] : await typesOfThatName(names, file, use, symbols);
  return withTypeArguments(file, use, types.length === 0 ? symbols : types);
}

/**
 * Returns the type that is meant, not the member of its name: `Color.Red` where a type has `Color Color { get; }`. In
 * `Color = Color.Red`, the line has both.
 */
async function typesOfThatName(
  names: NameResolver,
  file: ScopedFile,
  { name, role, line, receiver }: Use,
  symbols: readonly SymbolRef[],
): Promise<readonly SymbolRef[]> {
  const isOfType = role === "type" || role === "inherit";
  const isTyped = symbols.some((ref) => ref.file.types[ref.number] === `@${name}`);
  if (receiver !== "" || !(isTyped || isOfType)) return [];
  const type = await names.typeNamed(file, name);
  if (type === undefined) return [];
  if (role !== "value") return [type];
  const { uses } = await names.context.reader.referencesOf(file.path);
  const onLine = uses.filter((one) => one.line === line);
  const bare = onLine.filter((one) => one.name === name && one.receiver === "").length;
  let count = 0;
  for (const next of onLine) {
    const isNext = `.${next.receiver}`.endsWith(`.${name}`);
    // oxlint-disable-next-line no-await-in-loop -- one or two on the line
    const { found } = isNext ? await names.types.members(type, next.name) : { found: [] };
    if (found.some(({ facts }) => facts.kind === "constant")) count += 1;
  }
  if (count === 0) return [];
  return count < bare ? [...symbols, type] : [type];
}

function constructorsOf({ file, facts }: SymbolRef): readonly SymbolRef[] {
  return symbolsIn(file, `${facts.qualifiedName}.${facts.name}`).filter(isConstructor);
}

function resolveName(names: NameResolver, file: ScopedFile, use: Use): Promise<UseResolution> {
  if (file.language !== "haskell") return resolveInScopes(names, file, use);
  const isCompiled = isRelation(use.receiver) || compilerTarget(use.receiver) !== undefined;
  return isCompiled ? resolveInScopes(names, file, use) : resolveInModule(names, file, use);
}

async function resolveInScopes(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
): Promise<UseResolution> {
  const own = symbolRef(file, use.target);
  if (own !== undefined) {
    const symbols = file.language === "ruby" ? ofOwnSide(own, symbolRef(file, use.owner)) : [own];
    return {
      kind: "exact",
      symbols: symbols.length > 1 ? symbols : await names.withTypedefs(symbols[0] ?? own),
    };
  }
  if (use.receiver === IN_MACRO) {
    const entity = await names.name(file, use.name, -1);
    return useResolutionOf(symbolsForRole(file, entity, use), false);
  }
  if (use.receiver.startsWith(IN_MACRO)) return { kind: "name", isMember: true };
  if (use.receiver === OUTERMOST) {
    return useResolutionOf(
      symbolsForRole(file, await outermost(names, file, use.name), use),
      false,
    );
  }
  if (isRelation(use.receiver)) return { kind: "outside" };
  const compiled = compilerTarget(use.receiver);
  if (compiled !== undefined) {
    const symbols = await symbolsAt(names.context.symbols, compiled);
    // The definition may be gone since.
    return symbols.length > 0 ? { kind: "exact", symbols } : { kind: "name", isMember: undefined };
  }
  if (use.receiver.endsWith(OF_EXPECTED)) {
    const receiver = use.receiver.slice(0, -1);
    const place = { file, owner: use.owner };
    const member = await keyOf(names, place, { receiver, name: use.name });
    return member?.kind === "symbols" ? useResolutionOf(member, true) : { kind: "outside" };
  }
  if (use.receiver === "?") {
    return useResolutionOf(await extensionOf(names, file, use, { isOutside: false }), true);
  }
  return useResolutionOf(
    symbolsForRole(file, await entityOf(names, file, use), use),
    isMemberUse(file, use),
  );
}

/** Resolves a name of Haskell. */
async function resolveInModule(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
): Promise<UseResolution> {
  const symbols = await names.haskell.meant(file, use);
  if (symbols.length > 0) return { kind: isOneName(symbols) ? "exact" : "overloads", symbols };
  return use.receiver === "?" ? { kind: "name", isMember: undefined } : { kind: "outside" };
}

/** Returns the member that a key of a literal, or the name of an argument, sets in an object. */
function keyOf(
  names: NameResolver,
  place: EvaluationPlace,
  key: Pick<Use, "receiver" | "name">,
): Promise<Entity | undefined> {
  if (place.file.language === "kotlin") return constructorProperty(names, place, key);
  if (place.file.language === "scala") return caseParameterNamed(names, place, key);
  if (place.file.language === "dart") return fieldOfArgument(names, place, key);
  return canUse(place.file.language, "python")
    ? constructedField(names, place, key)
    : evaluateMember(names, place, key);
}

/** Returns the extension that a member name refers to if the type of its receiver is unknown. */
async function extensionOf(
  names: NameResolver,
  file: ScopedFile,
  { name, receiver, role, owner }: Use,
  { isOutside }: { isOutside: boolean },
): Promise<Entity | undefined> {
  if (file.language === "csharp" && role === "call") {
    return symbolsEntity(await calledExtensions(names, file, { name, receiver }));
  }
  if (file.language === "dart") {
    return symbolsEntity(await extensionsOfValue(names, file, { name, receiver, owner }));
  }
  if (nameRules(file.language).hasExtensions !== true) return undefined;
  const ofType =
    receiver === "?" ? [] : await extensionsOfType(names, file, { name, receiver, owner });
  if (ofType.length > 0) return symbolsEntity(ofType);
  const isBound = file.imports.some(({ bindings }) => bindings.some(({ local }) => local === name));
  // A name that is not imported may be a member of the receiver's type.
  if (!isBound && (isOutside || !(await names.isOnlyExtension(name)))) return undefined;
  const entity = await names.name(file, name, -1);
  return entity?.kind === "symbols" ? symbolsEntity(entity.symbols.filter(isExtension)) : undefined;
}

/** Returns whether the use is of a member; undefined if unknown. */
function isMemberUse({ language }: ScopedFile, { role, receiver }: Use): boolean | undefined {
  if (receiver !== "" && receiverOrBare(receiver) === undefined) return true;
  return role !== "type" && hasBareMembers(language) ? undefined : false;
}

/** If a type, a value and a function have the same name, keeps those that fit the role of the use. */
function symbolsForRole(
  { language }: ScopedFile,
  entity: Entity | undefined,
  use: Use,
): Entity | undefined {
  if (entity?.kind !== "symbols" || entity.symbols.length < 2) return entity;
  const { symbols } = entity;
  if (symbols.some((one) => symbols.some((other) => isTypeAndValue(one, other)))) {
    // A class inherits from a value, an interface from a type.
    if (use.role === "inherit" || use.role === "import") return entity;
    const isWanted = use.role === "type" ? isType : isNoType;
    return { kind: "symbols", symbols: symbols.filter(isWanted) };
  }
  const fitsRole = testForRole(use, language);
  const matching = fitsRole === undefined ? [] : entity.symbols.filter(fitsRole);
  return matching.length === 0 ? entity : { kind: "symbols", symbols: matching };
}

function isNoType({ facts: { kind } }: SymbolRef): boolean {
  return kind !== "type";
}

function testForRole(
  { role, receiver, arguments: passed }: Use,
  language: string,
): ((ref: SymbolRef) => boolean) | undefined {
  if (role === "type" || role === "inherit") return isType;
  if (role === "call") return isCallable;
  if (role === "import") return undefined;
  // A property and a method may have one name.
  if (language === "php") return (ref) => !isCallable(ref) || isType(ref);
  if (nameRules(language).hasFixedFields === true) {
    return passed === undefined ? (ref) => !isCallable(ref) || isType(ref) : isCallable;
  }
  if (language !== "rust") return undefined;
  // A method is called, so a value is a field; after a type it is a method: `Node::next`.
  return /^(?:\w+\.)*\p{Lu}\w*$/u.test(receiver) ? isCallable : (ref) => !isCallable(ref);
}

async function entityOf(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
): Promise<Entity | undefined> {
  const { name, role, receiver, binding, owner: around } = use;
  const owner = role === "inherit" ? outsideOf(file, around) : around;
  if (receiver !== "") {
    const orBare = receiverOrBare(receiver);
    const text = orBare ?? receiver;
    const isBareToo = orBare !== undefined;
    const member = await memberOfEither(names, { file, owner }, { receiver: text, name });
    const isConstructed =
      isBareToo && member?.kind === "symbols" && member.symbols.some(isConstructor);
    if (member?.kind === "symbols" && !isConstructed) return member;
    if (isBareToo) return bareEntity(names, file, { name, owner, binding });
    return (
      (await inNamespace(names, file, { receiver, name }, member)) ??
      (await globalMember(names, { file, owner }, { receiver, name })) ??
      (await extensionOf(names, file, use, { isOutside: member?.kind === "outside" })) ??
      member
    );
  }
  return bareOrOuter(names, file, use);
}

/** Resolves `::name` of C++, which is no member and in no namespace; mostly a library has it. */
async function outermost(
  names: NameResolver,
  file: ScopedFile,
  name: string,
): Promise<Entity | undefined> {
  const found = await names.name(file, name, -1);
  if (found?.kind !== "symbols") return found;
  return (
    symbolsEntity(found.symbols.filter((ref) => namespacesAround(ref).length === 0)) ?? OUTSIDE
  );
}

/** Resolves a bare name. In C++, a field does not hide the namespace or the type of its name where only these can be. */
async function bareOrOuter(
  names: NameResolver,
  file: ScopedFile,
  use: Use,
): Promise<Entity | undefined> {
  const owner = use.role === "inherit" ? outsideOf(file, use.owner) : use.owner;
  const found = await bareEntity(names, file, { ...use, owner });
  const isScope = use.arguments === OF_SCOPE && owner !== -1;
  if (!isScope || found?.kind !== "symbols" || found.symbols.some(isType)) return found;
  const outer = await names.name(file, use.name, -1);
  const isOuter =
    outer?.kind === "namespace" || (outer?.kind === "symbols" && outer.symbols.some(isType));
  return isOuter ? outer : found;
}

/**
 * Resolves `level::debug` of C++ where `level` also is a member of the class around it, which a qualified name does not mean.
 * `member`: what is known of the name as a member.
 */
function inNamespace(
  names: NameResolver,
  file: ScopedFile,
  { receiver, name }: Pick<Use, "receiver" | "name">,
  member: Entity | undefined,
): Promise<Entity | undefined> | undefined {
  const isPath = canUse(file.language, "c") && /^\w+(?:\.\w+)*$/.test(receiver);
  if (member !== undefined || !isPath) return undefined;
  return evaluateMember(names, { file, owner: -1 }, { receiver, name });
}

/** Resolves a member of the first expression of a receiver, or else of what conditions say of its type; in Ruby the other way round. */
async function memberOfEither(
  names: NameResolver,
  place: { readonly file: ScopedFile; readonly owner: number },
  { receiver, name }: Pick<Use, "receiver" | "name">,
): Promise<Entity | undefined> {
  const [declared = "", narrowed = declared] = receiver.split(OR_NARROWED);
  const isRuby = place.file.language === "ruby";
  const resolve = isRuby ? memberOrSetter : evaluateMember;
  // What is passed in Ruby may be of other classes too.
  const first = await resolve(names, place, { receiver: isRuby ? narrowed : declared, name });
  const isKnown = first?.kind === "symbols";
  if (narrowed === declared || (isKnown && (isRuby || !isOfSeveral(first.symbols)))) return first;
  const second = await resolve(names, place, { receiver: isRuby ? declared : narrowed, name });
  return second?.kind !== "symbols" && (isRuby || isKnown) ? first : second;
}

/** Returns whether definitions are members of several types. */
function isOfSeveral(symbols: readonly SymbolRef[]): boolean {
  return new Set(symbols.map((one) => `${one.file.path} ${ownerName(one)}`)).size > 1;
}

/** Resolves a member, or the setter that an accessor of Ruby defines. */
async function memberOrSetter(
  names: NameResolver,
  place: { readonly file: ScopedFile; readonly owner: number },
  { receiver, name }: Pick<Use, "receiver" | "name">,
): Promise<Entity | undefined> {
  const member = await evaluateMember(names, place, { receiver, name });
  if (member?.kind === "symbols" || !name.endsWith("=")) return member;
  const accessor = await evaluateMember(names, place, { receiver, name: name.slice(0, -1) });
  const setters = accessor?.kind === "symbols" ? accessor.symbols.filter(isSetterToo) : [];
  return symbolsEntity(setters) ?? member;
}

/** Returns the definition around a type: the members of a type are not visible where it names its supertypes. */
function outsideOf(file: ScopedFile, owner: number): number {
  const type = symbolRef(file, owner);
  if (type === undefined || !isType(type)) return owner;
  return symbolsIn(file, ownerName(type))[0]?.number ?? -1;
}

async function bareEntity(
  names: NameResolver,
  file: ScopedFile,
  { name, owner, binding }: Pick<Use, "name" | "owner" | "binding">,
): Promise<Entity | undefined> {
  const one = binding < 0 ? undefined : file.imports[binding];
  if (one === undefined && isCore(file.language, name)) return OUTSIDE;
  if (one === undefined) return names.name(file, name, owner);
  const bound =
    one.bindings.find((each) => each.name === name) ??
    one.bindings.find((each) => each.local === name);
  // A wildcard import: `import *`.
  return names.exports.bound(file, { import: one, binding: bound ?? { name, local: name } });
}

function useResolutionOf(entity: Entity | undefined, isMember: boolean | undefined): UseResolution {
  if (entity?.kind === "symbols") return { kind: "exact", symbols: entity.symbols };
  if (entity?.kind === "module") return { kind: "module", files: entity.files };
  if (entity?.kind === "namespace") return { kind: "module", files: [] };
  return entity?.kind === "outside" ? { kind: "outside" } : { kind: "name", isMember };
}
