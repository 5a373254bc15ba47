// Ranks the definitions of one name by how likely a bare name refers to each.

import { isCHeader } from "../base/c-header.ts";
import { isCallableKind, isValueKind } from "../base/definition-kinds.ts";
import { languageFamily } from "../base/language-families.ts";
import { FileFlag, type ChunkKind, type Role, type SymbolFacts } from "../index/types.ts";

/** The facts that decide the rank. */
export interface OrderedDefinition {
  readonly kind: ChunkKind;
  readonly access: SymbolFacts["access"];
  /** True if its qualified name is longer than its name. */
  readonly isMember: boolean;
  readonly path: string;
  /** "" if unknown. */
  readonly language: string;
  readonly role: Role;
  /** `FileFlag` bits. */
  readonly flags: number;
  /** Whether a type of C has the name, for which `isTypeOfC` is true. A bare name then means the type: `struct commit`. */
  readonly hasTypeOfC: boolean;
}

const ACCESS_RANK = { exported: 0, internal: 1, private: 2 } as const;
const ROLE_RANK = { code: 0, config: 2, tests: 3, docs: 4 } as const;
const SECONDARY_FILE_RANK = 1;
/** A function declaration in a header ranks after a definition with a body, whatever its access. */
const DECLARED_RANK = 3;

/**
 * Returns the rank, from 0 for the most likely definition. The role of the file decides first, then the shape of the
 * definition (a type or a function, a variable, a method, a field), then its access.
 */
export function definitionRank(definition: OrderedDefinition): number {
  const { path, isMember } = definition;
  const isOfHeader = isCallableKind(definition.kind) && isCHeader(path);
  // A static function in a header has its body there, and each file that includes the header can call it.
  const isShared = isOfHeader && !isMember && definition.access === "private";
  const isDeclared = isOfHeader && !isShared;
  const access = isShared ? "internal" : definition.access;
  const own = access === "internal" && isOpenInC(definition) ? "exported" : access;
  const accessRank = isDeclared ? DECLARED_RANK : ACCESS_RANK[own];
  return fileRank(definition) * 16 + shapeRank({ ...definition, access }) * 4 + accessRank;
}

/** Returns whether a definition is a type of C or C++. */
export function isTypeOfC({
  kind,
  language,
}: Pick<OrderedDefinition, "kind" | "language">): boolean {
  return (kind === "class" || kind === "type") && languageFamily(language) === "c";
}

/** A function of C that is not static can be called from anywhere, as an exported one of another language can. */
function isOpenInC({ kind, isMember, language, hasTypeOfC }: OrderedDefinition): boolean {
  const isFunction = isCallableKind(kind) && !isMember && !hasTypeOfC;
  return isFunction && languageFamily(language) === "c";
}

/** True if the ranks differ only in access: both definitions are equally likely. */
export function areAlikeRanked(one: number, other: number): boolean {
  return one >> 2 === other >> 2;
}

/** Returns a value after all ranks that are equal to `rank` but for access. */
export function afterAlike(rank: number): number {
  return (rank | 3) + 0.5;
}

/**
 * Whether a file is named after a definition. A type is in the file with its name; its extensions are in other files.
 */
export function isNamedAfter(path: string, name: string): boolean {
  const file = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = file.lastIndexOf(".");
  return (dot <= 0 ? file : file.slice(0, dot)) === name.toLowerCase();
}

/** Greater than any rank. */
export const DEFINITION_RANKS = 5 * 16;

function fileRank({ path, role, flags }: OrderedDefinition): number {
  const isSecondary =
    (flags & (FileFlag.generated | FileFlag.example | FileFlag.vendored)) !== 0 ||
    path.endsWith(".d.ts");
  return Math.max(ROLE_RANK[role], isSecondary ? SECONDARY_FILE_RANK : 0);
}

/**
 * The type comes first, unless no other file can use it: fields and methods are mostly named after the type that they
 * hold or return, and a variable may replace a type that is not imported.
 */
function shapeRank({ kind, access, isMember }: OrderedDefinition): number {
  if (kind === "section") return 3;
  if (isValueKind(kind)) return isMember ? 3 : 1;
  // Functions in functions are private; those of a namespace are not.
  if (isMember && (kind === "method" || (kind === "function" && access === "private"))) return 2;
  // An associated type, or an alias in a class, mostly repeats the name of another type.
  return access === "private" || (isMember && kind === "type") ? 1 : 0;
}
