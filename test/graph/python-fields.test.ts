import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a keyword argument is a use of the field that it sets, if the class has no constructor", async () => {
  const users = await usersIn({
    "app/store.py": `from dataclasses import dataclass
from typing import NamedTuple
@dataclass
class Options:
    width: int
    def size(self): ...
class Point(NamedTuple):
    left: int
class Wide(Options):
    height: int
class Store:
    path: str
    def __init__(self, path: str) -> None:
        self.path = path
def Make(width: int) -> Options: ...
`,
    "app/use.py": `from app import store
from app.store import Make, Options, Point, Store, Wide
Options(width=1)
Wide(
    width=2,
    height=3,
)
store.Point(left=1)
Store(path="a")
open(width=2)
Make(width=1)
`,
  });
  expect(await users("Options.width")).toEqual(["app/use.py:3 value", "app/use.py:5 value"]);
  expect(await users("Wide.height")).toEqual(["app/use.py:6 value"]);
  expect(await users("Point.left")).toEqual(["app/use.py:8 value"]);
  expect(await users("Store.path")).toEqual(["app/store.py:14 value"]);
});
