import { expect, test } from "vitest";

import { CODE_NAME_RULES } from "../../../src/parse/named-uses/code-name-rules.ts";
import { codeTokensOf } from "../../../src/parse/named-uses/code-tokens.ts";
import { completeRules } from "../../../src/parse/named-uses/name-rules.ts";
import { NameTokens } from "../../../src/parse/named-uses/name-tokens.ts";

/** The names that are called. */
function calledIn(text: string, language: string): readonly string[] {
  const rules = CODE_NAME_RULES[language];
  if (rules === undefined) throw new Error(`no ${language}`);
  const tokens = new NameTokens(codeTokensOf(text, rules.syntax), completeRules(rules));
  const places = [...tokens.list.keys()].filter((at) => tokens.isName(at) && tokens.isCalled(at));
  return places.map((at) => tokens.text(at));
}

test("calls with brackets, without, in lists and as commands", () => {
  expect(calledIn("run(x) + other (y) + z", "julia")).toEqual(["run"]);
  expect(calledIn("let y = run x + z", "ocaml")).toContain("run");
  expect(calledIn("(run x (other y))", "elisp")).toEqual(["run", "other"]);
  expect(calledIn("Get-It -Path x | Set-It\n$y = Find-It z", "powershell")).toEqual([
    "Get-It",
    "Set-It",
    "Find-It",
  ]);
});

test("instances of hardware are calls", () => {
  const called = calledIn("counter one (.a(b));\nadder #(8) two (.a(b));", "verilog");
  expect(called.filter((name) => name.length > 3)).toEqual(["counter", "adder"]);
  expect(calledIn("u1 : entity work.counter port map (a);", "vhdl")).toContain("counter");
});

test("constructors are no modules", () => {
  const rules = CODE_NAME_RULES["ocaml"];
  if (rules === undefined) throw new Error("no ocaml");
  const tokens = new NameTokens(
    codeTokensOf("Some x Make (Net) Header.get open Foo", rules.syntax),
    completeRules(rules),
  );
  const modules = [...tokens.list.keys()].filter(
    (at) => tokens.isCapital(at) && tokens.isModuleName(at),
  );
  expect(modules.map((at) => tokens.text(at))).toEqual(["Make", "Net", "Header", "Foo"]);
});
