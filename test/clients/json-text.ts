// Generates JSON as people write it: any value, with blanks, line breaks, comments and trailing commas around it.
import {
  array,
  boolean,
  constant,
  constantFrom,
  dictionary,
  double,
  oneof,
  string,
  tuple,
  uniqueArray,
  type Arbitrary,
} from "fast-check";

/** Text that may occur between two tokens. */
const gap = (lineBreak: string): Arbitrary<string> =>
  oneof(
    { weight: 4, arbitrary: constant("") },
    { weight: 3, arbitrary: constantFrom(" ", "\t", "  ") },
    { weight: 3, arbitrary: constantFrom(lineBreak, `${lineBreak}  `, `${lineBreak}\t\t`) },
    { weight: 1, arbitrary: constantFrom("/* a */", ' /* { , " */ ', `/*${lineBreak} b */`) },
    { weight: 1, arbitrary: constant(` // c, } "x"${lineBreak}`) },
  );

const key = string({ unit: "grapheme", maxLength: 8 }).filter((name) => name !== "svc");

const scalar = oneof(
  constantFrom("null", "true", "false", "1", "-2.5e3"),
  double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  string({ unit: "grapheme", maxLength: 12 }).map((value) => JSON.stringify(value)),
  dictionary(string({ maxLength: 4 }), boolean(), { maxKeys: 2 }).map((value) =>
    JSON.stringify(value),
  ),
  array(constantFrom("1", '"a"', "[]"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
);

interface Member {
  readonly key: string;
  readonly value: string;
}

/** Generates the text of an object with these members, in this order. */
function objectText(members: readonly Member[], lineBreak: string): Arbitrary<string> {
  const parts = members.map(({ key: name, value }) =>
    tuple(gap(lineBreak), gap(lineBreak), gap(lineBreak), gap(lineBreak)).map(
      ([a, b, c, d]) => `${a}${JSON.stringify(name)}${b}:${c}${value}${d}`,
    ),
  );
  if (parts.length === 0) return constant("{}");
  return tuple(tuple(...parts), boolean(), gap(lineBreak)).map(
    ([texts, isTrailing, end]) => `{${texts.join(",")}${isTrailing ? "," : ""}${end}}`,
  );
}

function membersOf(value: Arbitrary<string>): Arbitrary<Member[]> {
  return uniqueArray(tuple(key, value), { selector: ([name]) => name, maxLength: 4 }).map((pairs) =>
    pairs.map(([name, text]) => ({ key: name, value: text })),
  );
}

/** Generates a file whose `mcpServers` has other servers or none, between other members. */
export const configText: Arbitrary<string> = constantFrom("\n", "\r\n").chain((lineBreak) =>
  tuple(
    membersOf(scalar),
    membersOf(scalar),
    membersOf(scalar),
    gap(lineBreak),
    gap(lineBreak),
  ).chain(([servers, before, after, start, end]) =>
    objectText(servers, lineBreak).chain((value) =>
      objectText(
        [
          ...before.filter((member) => member.key !== "mcpServers"),
          { key: "mcpServers", value },
          ...after.filter(
            (member) =>
              member.key !== "mcpServers" && !before.some((other) => other.key === member.key),
          ),
        ],
        lineBreak,
      ).map((text) => start + text + end),
    ),
  ),
);
