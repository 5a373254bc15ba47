import { expect, test } from "vitest";

import { usersIn } from "../../../helpers/reference-users.ts";

test("isinstance tells the type of a value where it holds", async () => {
  const users = await usersIn({
    "app/nodes.py": `class Node:
    pass
class Const(Node):
    value: int = 1
class Name(Node):
    value: str = ""
class Call(Node):
    value: str = ""
`,
    "app/use.py": `from app import nodes
from app.nodes import Call, Const, Name, Node
def run(node: Node, other, several: Const | Name, all):
    if isinstance(node, nodes.Const):
        node.value
    elif isinstance(node, (Name, Call)):
        node.value
    else:
        node.value
    if not isinstance(other, Const):
        return
    other.value
    a = isinstance(several, Name) and several.value
    b = several.value if isinstance(several, Const) else several.value
    c = [one.value for one in all if isinstance(one, Const)]
    assert isinstance(node.left, Name)
    node.left.value
`,
  });
  const exact = async (name: string): Promise<readonly string[]> =>
    (await users(name)).filter((use) => !use.endsWith("?"));
  expect(await exact("Const.value")).toEqual([
    "app/use.py:5 value",
    "app/use.py:12 value",
    "app/use.py:14 value",
    "app/use.py:15 value",
  ]);
  expect(await exact("Name.value")).toEqual([
    "app/use.py:7 value",
    "app/use.py:13 value",
    "app/use.py:14 value",
    "app/use.py:17 value",
  ]);
  expect(await exact("Call.value")).toEqual(["app/use.py:7 value"]);
});
