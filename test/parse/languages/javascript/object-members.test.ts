import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";
import { usersIn } from "../../../helpers/reference-users.ts";

async function names(text: string, language = "typescript"): Promise<readonly string[]> {
  const { symbols } = await chunk(language, text);
  return symbols.map(({ kind, qualifiedName }) => `${kind} ${qualifiedName}`);
}

test("keys of the literal of a constant are members, at three levels", async () => {
  expect(
    await names(`export const ROUTES = { home: "/", user: { list: "/u", one: { edit: { deep: 1 } } } } as const;
const Status = Object.freeze({ Open: 1 });
class Emitter { handlers = { onOpen: () => {}, size: 1 }; }
`),
  ).toEqual([
    "constant ROUTES",
    "field ROUTES.home",
    "field ROUTES.user",
    "field ROUTES.user.list",
    "field ROUTES.user.one",
    "field ROUTES.user.one.edit",
    "constant Status",
    "field Status.Open",
    "class Emitter",
    "field Emitter.handlers",
    "method Emitter.handlers.onOpen",
    "field Emitter.handlers.size",
  ]);
});

test("keys of an object with a declared type, of other calls and of data are no members", async () => {
  const many = Array.from({ length: 201 }, (_, at) => `k${at}: ${at}`).join(", ");
  expect(
    await names(`const typed: Foo = { one: 1 };
const cast = { one: 1 } as Foo;
const checked = { one: 1 } satisfies Foo;
const open = { one: 1 } satisfies Record<string, number>;
const sent = send({ one: 1 });
const data = { ${many} };
`),
  ).toEqual([
    "constant typed",
    "constant cast",
    "constant checked",
    "constant open",
    "field open.one",
    "constant sent",
    "constant data",
  ]);
});

test("a file has up to a thousand of them", async () => {
  const objects = Array.from({ length: 12 }, (_, object) => {
    const keys = Array.from({ length: 100 }, (_key, at) => `k${at}: ${at}`).join(", ");
    return `const o${object} = { ${keys} };\n`;
  });
  const all = await names(objects.join(""));
  expect(all.filter((name) => name.startsWith("field"))).toHaveLength(1000);
});

test("what a function returns in an object is a member of it", async () => {
  expect(
    await names(`export function useDialog() {
  const [isShown, setShown] = useState(false);
  const open = useCallback(() => setShown(true), []);
  function close() {}
  function inner() {}
  return { isShown, open, close, size: 1, reset() {} };
}
export const useMenu = () => {
  const [item, setItem] = useState("");
  return useMemo(() => ({ item, choose: setItem }), []);
};
export const make = () => ({ one: 1 });
export function typed(): Dialog { return { one: 1 }; }
export function early() { if (a) return { one: 1 }; return 2; }
`),
  ).toEqual([
    "function useDialog",
    "constant useDialog.isShown",
    "constant useDialog.open",
    "function useDialog.close",
    "constant useDialog.size",
    "method useDialog.reset",
    "function useMenu",
    "constant useMenu.item",
    "constant useMenu.choose",
    "function make",
    "constant make.one",
    "function typed",
    "function early",
  ]);
});

test("a variable with the name of a key that has another value is none", async () => {
  const users = await usersIn({
    "src/load.ts": `export async function load(input: { data: string }) {
  const { data } = input;
  data.trim();
  return { data: data.length };
}
`,
    "src/use.ts": `import { load } from "./load.ts";
const result = await load({ data: "a" });
result.data;
`,
  });
  expect(await users("load.data")).toEqual(["src/use.ts:3 value"]);
});

test("functions in the arguments of procedures are members of a router", async () => {
  expect(
    await names(`export const users = router({
  list: procedure.input(z.object({ page: z.number() })).query(async () => {
    return [];
  }),
  one: oneRoute,
});
`),
  ).toEqual(["constant users", "method users.list", "field users.one"]);
});

test("scripts have the same members", async () => {
  expect(
    await names(
      `const make = () => { const size = 1; return { size, open() {} }; };\nmodule.exports = make;\n`,
      "javascript",
    ),
  ).toEqual(["function make", "constant make.size", "method make.open"]);
});
