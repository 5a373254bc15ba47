import { expect, test } from "vitest";

import { unresolvedFileUses, unresolvedUses } from "../../../src/engine/symbols/unresolved-uses.ts";
import { memoryTexts } from "../../../src/sources/text/memory-texts.ts";
import { authorized } from "../../helpers/authorized.ts";
import { memoryIndex } from "../../helpers/memory-index.ts";
import { request } from "../../helpers/project.ts";

const FILES: Readonly<Record<string, string>> = {
  "app/Door.wat": "final class Door {\n  def unlock() {}\n}\n",
  "app/House.wat": "door.unlock()\n",
  "roles/main.yml": "port: 1\nurl: 'http://{{ port }}'\n",
};

test("a name that only its definitions have is explained by nothing", async () => {
  const contents = new Map(
    Object.entries(FILES).map(([path, text]) => [path, { bytes: Buffer.from(text), mtimeMs: 1 }]),
  );
  const reader = await memoryIndex(FILES);
  const context = { reader, texts: memoryTexts(() => contents).open(authorized("project"), []) };
  const ofSymbol = (path: string, symbol: string, definitions = 1) =>
    unresolvedUses(context, { path, symbol, definitions }, request());
  expect(await ofSymbol("app/Door.wat", "Door.unlock")).toMatch(
    /^svc finds no uses in wat\. 1 line in 1 file has it after a dot: /,
  );
  expect(await ofSymbol("roles/main.yml", "port")).toMatch(/^2 lines in 1 file have the name: /);
  expect(await ofSymbol("roles/main.yml", "port", 2)).toBeUndefined();
  expect(await unresolvedFileUses(context, "roles/main.yml", request())).toBeUndefined();
});
