// Encodes the uses of one name in a file.

import { USE_ROLES, type Use } from "../../parse/references/references.ts";
import type { ByteReader, ByteWriter } from "../coding/bytes.ts";

/** Bits of a use's flag byte; the lower three are its role. */
const HAS_TARGET = 8;
const HAS_RECEIVER = 16;
const HAS_BINDING = 32;
const HAS_ARGUMENTS = 64;
const HAS_NO_ARGUMENTS = 128;
const ROLE = 7;
const INHERIT = USE_ROLES.indexOf("inherit");

/** The expressions of a file by number. */
interface ExpressionTexts {
  readonly at: (number: number) => string | undefined;
}

/** Returns whether one of the uses up to `end` names a supertype. */
export function hasInherit(from: ByteReader, end: number): boolean {
  while (from.position < end) {
    // A use that is like the one before has its role.
    if ((from.varint() & 1) === 1) continue;
    const known = from.byte();
    if ((known & ROLE) === INHERIT) return true;
    from.varint();
    if ((known & HAS_TARGET) !== 0) from.varint();
    if ((known & HAS_RECEIVER) !== 0) from.varint();
    if ((known & HAS_BINDING) !== 0) from.varint();
    if ((known & HAS_ARGUMENTS) !== 0) {
      for (let left = from.varint(); left > 0 && from.left > 0; left -= 1) from.varint();
    }
  }
  return false;
}

/**
 * Encodes uses. Each begins with the line difference to the one before, times two, plus 1 if the rest is
 * unchanged.
 */
export function encodeUses(
  to: ByteWriter,
  uses: readonly Use[],
  expressions: ReadonlyMap<string, number>,
): void {
  let line = 0;
  let before: Use | undefined;
  for (const use of uses) {
    const isAlike = before !== undefined && isLike(use, before);
    to.varint((use.line - line) * 2 + (isAlike ? 1 : 0));
    line = use.line;
    before = use;
    if (isAlike) continue;
    const { owner, target, receiver, binding, arguments: passed } = use;
    to.byte(flagsOf(use));
    to.varint(owner + 1);
    if (target >= 0) to.varint(target);
    if (receiver !== "") to.varint(expressions.get(receiver) ?? 0);
    if (binding >= 0) to.varint(binding);
    writeArguments(to, passed, expressions);
  }
}

function flagsOf({ role, target, receiver, binding, arguments: passed }: Use): number {
  return (
    USE_ROLES.indexOf(role) |
    (target >= 0 ? HAS_TARGET : 0) |
    (receiver === "" ? 0 : HAS_RECEIVER) |
    (binding >= 0 ? HAS_BINDING : 0) |
    argumentFlag(passed)
  );
}

function argumentFlag(passed: string | undefined): number {
  if (passed === undefined) return 0;
  return passed === "" ? HAS_NO_ARGUMENTS : HAS_ARGUMENTS;
}

function writeArguments(
  to: ByteWriter,
  passed: string | undefined,
  expressions: ReadonlyMap<string, number>,
): void {
  if (passed === undefined || passed === "") return;
  const each = passed.split(",");
  to.varint(each.length);
  for (const one of each) to.varint(expressions.get(one) ?? 0);
}

/** Adds the receiver and the arguments of a use to `to`. */
export function addExpressions({ receiver, arguments: passed }: Use, to: Set<string>): void {
  to.add(receiver);
  if (passed === undefined || passed === "") return;
  if (!passed.includes(",")) to.add(passed);
  else for (const one of passed.split(",")) to.add(one);
}

function isLike(one: Use, other: Use): boolean {
  return (
    one.role === other.role &&
    one.owner === other.owner &&
    one.target === other.target &&
    one.receiver === other.receiver &&
    one.binding === other.binding &&
    one.arguments === other.arguments
  );
}

interface UsesToRead {
  readonly name: string;
  readonly expressions: ExpressionTexts;
  readonly into: Use[];
}

export function decodeUses(
  from: ByteReader,
  end: number,
  { name, expressions, into }: UsesToRead,
): void {
  let use: Use = { name, line: 0, role: "value", owner: -1, target: -1, receiver: "", binding: -1 };
  while (from.position < end) {
    const step = from.varint();
    const line = use.line + (step >>> 1);
    if ((step & 1) === 1) {
      use = { ...use, line };
    } else {
      const known = from.byte();
      use = {
        name,
        line,
        role: USE_ROLES[known & ROLE] ?? "value",
        owner: from.varint() - 1,
        target: (known & HAS_TARGET) === 0 ? -1 : from.varint(),
        receiver: (known & HAS_RECEIVER) === 0 ? "" : (expressions.at(from.varint()) ?? "?"),
        binding: (known & HAS_BINDING) === 0 ? -1 : from.varint(),
        ...((known & HAS_NO_ARGUMENTS) !== 0 && { arguments: "" }),
        ...((known & HAS_ARGUMENTS) !== 0 && { arguments: readArguments(from, expressions) }),
      };
    }
    into.push(use);
  }
}

function readArguments(from: ByteReader, expressions: ExpressionTexts): string {
  const each: string[] = [];
  for (let left = from.varint(); left > 0 && from.left > 0; left -= 1) {
    each.push(expressions.at(from.varint()) ?? "?");
  }
  return each.join(",");
}
