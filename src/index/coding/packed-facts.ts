// Language, role and flags of a file in one number, as the index keeps them in memory for each file.

import { FILE_ROLES, type Role } from "../types.ts";

/** Packs language, role and flags of a file for the `facts` column. */
export function packFacts(language: number, role: Role, flags: number): number {
  return language | (FILE_ROLES.indexOf(role) << 16) | (flags << 20);
}

/** Whether the packed facts are those of a code or test file. */
export function isCode(facts: number): boolean {
  // The first two of FILE_ROLES.
  return ((facts >>> 16) & 0xf) < 2;
}

/** The language in the packed facts, an index of `Directory.languages`. */
export function packedLanguage(facts: number): number {
  return facts & 0xffff;
}

/** Unpacks the `facts` column; `language` is an index of `Directory.languages`. */
export function unpackFacts(facts: number): { language: number; role: Role; flags: number } {
  return {
    language: packedLanguage(facts),
    role: FILE_ROLES[(facts >>> 16) & 0xf] ?? "code",
    flags: facts >>> 20,
  };
}
