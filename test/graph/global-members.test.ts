import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

test("a property of a global object is one definition in all files", async () => {
  const users = await usersIn({
    "src/quiet.ts": "console.error = (text: string) => {\n  void text;\n};\nexport {};\n",
    "src/a.ts": 'export function run() {\n  console.error("a");\n}\n',
    "src/b.js": "console.error(1);\n",
    "src/own.ts": 'import { console } from "./quiet.ts";\nconsole.error("not the global one");\n',
    "src/local.ts": "export const f = (console: any) => console.error(1);\n",
  });
  expect(await users("console.error")).toEqual([
    "src/a.ts:2 call",
    "src/b.js:1 call",
    "src/local.ts:1 call ?",
    "src/own.ts:2 call ?",
  ]);
});

test("a property of a local or of a prototype is none of a global object", async () => {
  const users = await usersIn({
    "src/local.js": "const app = {};\napp.open = function () {};\n",
    "src/proto.js": "Widget.prototype.draw = function () {};\n",
    "src/use.js": "app.open();\nWidget.draw();\n",
  });
  expect(await users("app.open")).toEqual(["src/use.js:1 call ?"]);
  expect(await users("Widget.draw")).toEqual([]);
});
