import { describe, expect, it } from "vitest";

import { scopedFile } from "../../src/graph/entity.ts";
import { ownModule, ownScriptExport, wholeExportOf } from "../../src/graph/script-exports.ts";
import { chunk } from "../chunk/helpers.ts";

async function file(language: string, text: string) {
  const { symbols, references } = await chunk(language, text);
  const { imports, types } = references;
  return scopedFile({
    path: "a.js",
    language,
    package: "",
    role: "code",
    flags: 0,
    symbols,
    imports,
    types,
  });
}

describe("the exports of a script", () => {
  it("are the value that it assigns to module.exports, or the keys of that literal", async () => {
    const whole = await file("javascript", "const keys = { one: 1 };\nmodule.exports = keys;\n");
    expect(whole.imports[wholeExportOf(whole)]?.bindings).toEqual([
      { name: "keys", local: "module.exports" },
    ]);
    const literal = await file("javascript", "module.exports = { open() {}, size: 1 };\n");
    expect(wholeExportOf(literal)).toBe(-1);
    const size = ownScriptExport(literal, "size");
    expect(size?.kind === "symbols" && size.symbols[0]?.facts.qualifiedName).toBe("exports.size");
    expect(ownScriptExport(literal, "none")).toBeUndefined();
  });

  it("are read through exports and module.exports in scripts alone", async () => {
    const script = await file("javascript", "exports.a = 1;\n");
    expect(ownModule(script, "exports", "a")?.taken).toBe(0);
    expect(ownModule(script, "module", "exports")?.taken).toBe(1);
    expect(ownModule(script, "module", "a")).toBeUndefined();
    expect(ownModule(await file("python", "a = 1\n"), "exports", "a")).toBeUndefined();
  });
});
