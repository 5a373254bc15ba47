// Licences under which parts of svc may be redistributed with it.

/** SPDX identifiers. None requires more than its text, a notice, or the mark of changes. */
const ALLOWED = new Set(
  [
    "0BSD AFL-2.1 Apache-2.0 BlueOak-1.0.0 BSD-2-Clause BSD-3-Clause BSL-1.0",
    "CC0-1.0 ISC MIT MIT-0 Python-2.0 Unicode-3.0 Unlicense Zlib",
  ].flatMap((names) => names.split(" ")),
);

/** Whether an SPDX expression, such as `MIT OR GPL-2.0-only`, allows an accepted licence. An invalid one does not. */
export function isAllowed(expression: string): boolean {
  // An exception only ever allows more.
  const plain = expression.replaceAll(/ WITH [\w.-]+/g, "");
  const inner = /\((?<inner>[^()]*)\)/.exec(plain);
  if (inner === null) return isGood(plain);
  const verdict = isGood(inner.groups?.["inner"] ?? "") ? GOOD : BAD;
  return isAllowed(plain.replace(inner[0], verdict));
}

const GOOD = "0BSD";
const BAD = "NONE";

function isGood(expression: string): boolean {
  const choices = expression.split(" OR ");
  return choices.some((choice) => choice.split(" AND ").every((one) => ALLOWED.has(one.trim())));
}
