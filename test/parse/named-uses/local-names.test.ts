import { expect, test } from "vitest";

import { usersIn } from "../../helpers/reference-users.ts";

test.for([
  ["julia", "jl", "size_of(x) = x\n", "function f(size_of, y)\n  size_of(y)\nend\n"],
  ["ocaml", "ml", "let size x = x\n", "let f size =\n  size 1\n"],
  ["clojure", "clj", "(defn size [x] x)\n", "(defn f [size]\n  (size 1))\n"],
  ["elisp", "el", "(defun size (x) x)\n", "(defun f (y)\n  (let ((size y))\n    (size 1)))\n"],
  ["groovy", "groovy", "def size(x) {\n  x\n}\n", "def f() {\n  def size = { it }\n  size(1)\n}\n"],
] as const)(
  "%s: a parameter or a variable is no use of a function",
  async ([, ending, one, two]) => {
    const users = await usersIn({ [`a.${ending}`]: one + two });
    expect(await users(ending === "jl" ? "size_of" : "size")).toEqual([]);
  },
);

test("a name that is declared in one function is a use in another", async () => {
  const users = await usersIn({
    "a.ml": "let size x = x\nlet f size =\n  size 1\nlet g y =\n  size y\n",
  });
  expect(await users("size")).toEqual(["a.ml:5 call"]);
});
