import { expect, onTestFinished, test } from "vitest";

import { createMachine } from "../../helpers/cli.ts";

async function call(...words: readonly string[]) {
  const machine = createMachine();
  onTestFinished(machine.dispose);
  const { code, out, err } = await machine.svc(...words);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

test("the overview of the group has its commands", async () => {
  const out = await call("config", "--help");
  expect(out).toMatch(/^Show and change settings\.$/m);
  for (const name of ["list", "get", "set", "unset"]) {
    expect(out).toMatch(new RegExp(`^  config ${name} {2,}\\S`, "m"));
  }
});

test.each([
  ["list", "svc config list [flags]", ["--origin", "--namespace NS", "--json"]],
  ["get", "svc config get NAME [flags]", ["NAME", "--json", "The setting has no value."]],
  ["set", "svc config set NAME VALUE [flags]", ["NAME", "VALUE", "cannot be set in config.json."]],
  ["unset", "svc config unset NAME [flags]", ["NAME", "default applies again"]],
])("`svc config %s --help` is whole", async (name, usage, words) => {
  const out = await call("config", name, "--help");
  expect(out).toContain(`Usage\n  ${usage}\n`);
  for (const word of [...words, "Examples\n", "--help"]) expect(out).toContain(word);
});
