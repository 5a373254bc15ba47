import * as fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

const character = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.count));

/**
 * Texts of all characters, and those that fast-check knows to break programs, such as `__proto__`. With the unit "binary",
 * fast-check first makes a table of a million characters: a second of processor time, and memory that stays in use.
 */
export function anyText(length: fc.StringConstraints = {}): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 9, arbitrary: fc.string({ ...length, unit: character }) },
    { weight: 1, arbitrary: fc.string(length) },
  );
}
