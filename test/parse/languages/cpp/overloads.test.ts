import { expect, test } from "vitest";

import { chunk } from "../../../chunk/helpers.ts";

/** Signatures of functions by name, in the order of the file. */
async function signaturesIn(text: string): Promise<readonly string[]> {
  const { symbols, references } = await chunk("cpp", text);
  return symbols.flatMap(({ name }, number) => {
    const signature = references.signatures?.[number] ?? "";
    return signature === "" ? [] : `${name}${signature}`;
  });
}

/** The arguments of each call. */
async function argumentsIn(statements: string, parameters = ""): Promise<readonly string[]> {
  const { references } = await chunk("cpp", `void use(${parameters}) {\n${statements}\n}\n`);
  return references.uses
    .filter(({ name, role }) => role === "call" && /run$/i.test(name))
    .map(({ name, arguments: passed = "none" }) => `${name} ${passed}`);
}

test("types of parameters, without arguments, references and names", async () => {
  expect(
    await signaturesIn(`class Store {
  int open(const std::string& path, int flags = 0, char* argv[] = nullptr);
  template <typename T, typename... Args> void add(T&& value, Args&&... rest);
  void move(Store&& other, unsigned long int size, std::vector<int> list);
  void none(void);
  int print(const char* format, ...);
  void on(void (*callback)(int), decltype(a) b);
  const Item* find(struct item** out) const;
};
template <class T> void Box<T>::put(T value, Box<T>* next) {}
int size;
`),
  ).toEqual([
    "open(string,int=,char**=)",
    "add($&&,$&&...)",
    "move(Store&&,unsigned_long_int,vector<>)",
    "none()",
    "print(char*,?...)",
    "on(?,?)",
    "find(item**)",
    "put($,Box<>*)",
  ]);
});

test("types of arguments", async () => {
  expect(
    await argumentsIn(
      `run(1, 2u, 3L, 4.5, 1.5f, 0);
run("a", L"b", 'c', true, nullptr, [] { return 1; });
run(a == b, (1), new Foo(1), Foo{1}, static_cast<Foo*>(p));
run();`,
    ),
  ).toEqual([
    "run @int,?,?,@double,?,:0",
    "run :char*,?,@char,@bool,!,^",
    "run @bool,@int,:Foo*,:Foo&&,:Foo*",
    "run ",
  ]);
});

test("types of locals, of their addresses and of what is moved", async () => {
  expect(
    await argumentsIn(
      `int count = 1;
auto text = "a";
Foo *first, second;
run(count, text, first, second, &second, *first, std::move(second), std::move(other()));
object->run(list, item);
std::run(list);
LOG_RUN(count);`,
      "std::vector<Foo>& list, const Foo item",
    ),
  ).toEqual([
    "run @int,:char*,:Foo*,@Foo,:Foo*,@Foo,:Foo&&,:?&&",
    "run :vector<>,@Foo",
    "run none",
    "LOG_RUN none",
  ]);
});
