import { expect, expectTypeOf, test } from "vitest";

import { SvcError } from "../../src/base/errors.ts";
import { defineCommand } from "../../src/cli/command.ts";
import { parseCommandLine } from "../../src/cli/parse.ts";
import { find } from "./sample-commands.ts";

const DEFAULTS = {
  limit: 10,
  offset: undefined,
  kind: [],
  pathGlob: [],
  sort: "score",
  namespace: undefined,
  explain: false,
  snippets: true,
  json: false,
};

/** The differences from the defaults, or the error with its hint. */
function call(...words: string[]): unknown {
  try {
    const parsed = parseCommandLine(find, words);
    if (parsed.help) return "help";
    const flags = Object.entries(parsed.flags).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(Object(DEFAULTS)[key]),
    );
    return { ...parsed.args, ...Object.fromEntries(flags) };
  } catch (error) {
    if (error instanceof SvcError && error.code === "USAGE") return error.detail;
    throw error;
  }
}

test("a flag that is not given has its default", () => {
  expect(parseCommandLine(find, ["q"])).toEqual({
    help: undefined,
    args: { query: "q", path: undefined },
    flags: DEFAULTS,
  });
});

test.each<[string[], object]>([
  [["q", "src"], { path: "src" }],
  [["q", "--limit", "5"], { limit: 5 }],
  [["q", "--limit=5"], { limit: 5 }],
  [["--limit", "5", "q"], { limit: 5 }],
  [["q", "-n", "5"], { limit: 5 }],
  [["q", "-n5"], { limit: 5 }],
  [["q", "-n=5"], { limit: 5 }],
  [["q", "-ejn5"], { explain: true, json: true, limit: 5 }],
  [["q", "-ej", "-n", "5"], { explain: true, json: true, limit: 5 }],
  [["q", "-ee"], { explain: true }],
  [["q", "--offset", "-5"], { offset: -5 }],
  [["q", "--offset=-5"], { offset: -5 }],
  [["q", "--kind", "code,docs"], { kind: ["code", "docs"] }],
  [["q", "--kind", "code", "-k", "docs"], { kind: ["code", "docs"] }],
  [["q", "--path-glob", "src/{a,b}/**,*.md"], { pathGlob: ["src/{a,b}/**", "*.md"] }],
  [["q", "--path-glob", "[a,b].ts"], { pathGlob: ["[a,b].ts"] }],
  [["q", "--explain"], { explain: true }],
  [["q", "--explain=true"], { explain: true }],
  [["q", "--explain=false"], {}],
  [["q", "--explain", "--no-explain"], {}],
  [["q", "--no-snippets"], { snippets: false }],
  [["q", "--namespace", "-odd"], { namespace: "-odd" }],
  [["q", "--namespace=--odd"], { namespace: "--odd" }],
  [["q", "--namespace=a=b"], { namespace: "a=b" }],
  [["q", "--sort=path"], { sort: "path" }],
  [["q", "-"], { path: "-" }],
  [["q", "--", "--limit"], { path: "--limit" }],
  [["q", "-7.5"], { path: "-7.5" }],
])("%j is understood", (words, expected) => {
  expect(call(...words)).toEqual({ query: "q", path: undefined, ...expected });
});

test.each([
  [["-42"], "-42"],
  [["--", "-foo"], "-foo"],
  [["--", "--"], "--"],
  [[""], ""],
])("%j gives the query %j", (words, query) => {
  expect(call(...words)).toMatchObject({ query });
});

test.each([
  [["q", "--limt", "5"], "There is no flag --limt. Did you mean --limit?"],
  [["q", "--lmiit=5"], "There is no flag --lmiit. Did you mean --limit?"],
  [["q", "--name"], "There is no flag --name. Did you mean --namespace?"],
  [["q", "--pathGlob", "x"], "There is no flag --pathGlob. Did you mean --path-glob?"],
  [["q", "-limit", "5"], "There is no flag -l. Did you mean --limit?"],
  // Letters that are not flags, with an h among them.
  [["q", "-path-glob", "x"], "There is no flag -p. Did you mean --path-glob?"],
  ...["-uh", "-hu", "-uuh", "-huu", "-euh", "-5h"].map((word): [string[], string] => [
    ["q", word],
    `There is no flag -${word.replace(/[-he]/g, "")[0] ?? ""}. \`--help\` lists the flags; put \`--\` before arguments that begin with a dash.`,
  ]),
  [["q", "--limit", "5", "--limit", "6"], "--limit was given twice. Use it once."],
  [["q", "--limit=5", "-n5"], "--limit was given twice. Use it once."],
  [
    ["q", "--namespace", "a", "--json", "--namespace", "b"],
    "--namespace was given twice. Use it once.",
  ],
  [
    ["q", "-x"],
    "There is no flag -x. `--help` lists the flags; put `--` before arguments that begin with a dash.",
  ],
  [
    ["q", "--zzz"],
    "There is no flag --zzz. `--help` lists the flags; put `--` before arguments that begin with a dash.",
  ],
  [
    ["q", "--glob", "x"],
    "There is no flag --glob. `--help` lists the flags; put `--` before arguments that begin with a dash.",
  ],
  [["q", "--top", "3"], "There is no flag --top. Did you mean --limit?"],
  [
    ["q", "--verbose"],
    "There is no flag --verbose. Set SERVICE_DEBUG=true to print what svc does.",
  ],
  [["q", "--no-explian"], "There is no flag --no-explian. Did you mean --no-explain?"],
  [["q", "--no-limit"], "--limit takes a value and cannot be negated. Omit --no-limit."],
  [["q", "--no-explain=yes"], "--no-explain takes no value."],
  [["q", "--explain=maybe"], '--explain takes true or false, not "maybe".'],
  [["q", "--limit"], "--limit needs a value."],
  [["q", "--limit="], "--limit needs a value."],
  [["q", "--namespace", ""], "--namespace needs a value."],
  [["q", "--namespace", "--json"], "--namespace needs a value before --json."],
  [["q", "--namespace", "--"], "--namespace needs a value before --."],
  [
    ["q", "--namespace", "--odd"],
    "--namespace needs a value before --odd. Write --namespace=--odd if the value begins with dashes.",
  ],
  [["q", "--limit", "0"], '--limit takes a whole number (from 1 to 50), not "0".'],
  [["q", "-n", "51"], '-n takes a whole number (from 1 to 50), not "51".'],
  [["q", "--limit", "ten"], '--limit takes a whole number (from 1 to 50), not "ten".'],
  [["q", "--offset", "1.5"], '--offset takes a whole number, not "1.5".'],
  [["q", "--offset", "1e3"], '--offset takes a whole number, not "1e3".'],
  [
    ["q", "--offset", "99999999999999999999"],
    '--offset takes a whole number, not "99999999999999999999".',
  ],
  [["q", "--kind", "code,doc"], '--kind takes code, docs or tests, not "doc". Did you mean docs?'],
  [["q", "--sort", "size"], '--sort takes score or path, not "size".'],
  [[], 'QUERY is missing. For example: svc find "token expiry"'],
  [["--json"], 'QUERY is missing. For example: svc find "token expiry"'],
  [
    ["where", "are", "tokens"],
    'Unexpected argument "tokens" after QUERY and PATH. Quote words that belong together.',
  ],
])("%j is refused", (words, message) => {
  expect(call(...words)).toBe(message);
});

test.each([
  [["--help"]],
  [["-h"]],
  [["-hh"]],
  [["q", "-eh"]],
  [["q", "-he"]],
  [["q", "-uh", "-h"]],
  [["q", "--limit", "0", "--help"]],
  [["q", "--limit", "1", "--limit", "2", "--help"]],
  [["q", "--typo", "-h"]],
])("%j shows help, whatever else is wrong", (words) => {
  expect(call(...words)).toBe("help");
});

test("after -- a word that looks like help is an argument", () => {
  expect(call("--", "--help")).toMatchObject({ query: "--help" });
});

test("a required flag is checked", () => {
  const shape = defineCommand({
    flags: { dataFile: { type: "string", required: true, placeholder: "F", description: "." } },
    run: () => {},
  });
  expect(() => parseCommandLine(shape, [])).toThrow("--data-file is required.");
});

test("a command without arguments refuses one", () => {
  const shape = defineCommand({ run: () => {} });
  expect(() => parseCommandLine(shape, ["x"])).toThrow('Unexpected argument "x"');
});

test("the types of the input follow from the definition", () => {
  const command = defineCommand({
    args: [
      { name: "query", required: true, description: "." },
      { name: "path", description: "." },
      { name: "rest", variadic: true, description: "." },
    ],
    flags: {
      limit: { type: "integer", default: 10, placeholder: "N", description: "." },
      offset: { type: "integer", placeholder: "N", description: "." },
      kind: { type: "list", choices: ["code", "docs"], placeholder: "K", description: "." },
      sort: { type: "string", choices: ["a", "b"], placeholder: "S", description: "." },
      name: { type: "string", required: true, placeholder: "S", description: "." },
      json: { type: "boolean", description: "." },
    },
    run({ args, flags }) {
      expectTypeOf(args).toEqualTypeOf<{
        readonly query: string;
        readonly path: string | undefined;
        readonly rest: readonly string[];
      }>();
      expectTypeOf(flags).toEqualTypeOf<{
        readonly limit: number;
        readonly offset: number | undefined;
        readonly kind: readonly ("code" | "docs")[];
        readonly sort: "a" | "b" | undefined;
        readonly name: string;
        readonly json: boolean;
      }>();
    },
  });
  expect(command.args).toHaveLength(3);
});
