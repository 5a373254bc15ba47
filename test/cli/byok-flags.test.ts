import { expect, test } from "vitest";

import { byokChoice } from "../../src/cli/byok-flags.ts";

type Flags = Parameters<typeof byokChoice>[0];

const NONE: Flags = {
  byok: false,
  provider: undefined,
  providerModel: undefined,
  byokNamespace: undefined,
};
const provider = "https://api.openai.com/v1";

test("without a flag no provider is configured", () => {
  expect(byokChoice(NONE)).toBeUndefined();
});

test("the flags together are the choice; a model and a namespace need not be", () => {
  const all = { byok: true, provider, providerModel: "m", byokNamespace: "free" };
  expect(byokChoice(all)).toEqual({ url: provider, model: "m", namespace: "free" });
  expect(byokChoice({ ...NONE, byok: true, provider })).toEqual({ url: provider });
});

const refused: readonly (readonly [what: string, flags: Partial<Flags>, says: RegExp])[] = [
  ["an address without --byok", { provider }, /--provider needs --byok\..*Add --byok/],
  ["a model without --byok", { providerModel: "m" }, /--provider-model needs --byok\./],
  ["a namespace without --byok", { byokNamespace: "ns" }, /--byok-namespace needs --byok\./],
  [
    "--byok without an address",
    { byok: true },
    /Add --provider URL, for example: --byok --provider h/,
  ],
  ["a namespace of bad form", { byok: true, provider, byokNamespace: "A b" }, /Use 1 to 64 of a-z/],
  ["a model of spaces", { byok: true, provider, providerModel: " " }, /omit the flag/],
];

test.each(refused)("%s is refused with a hint", (_what, flags, says) => {
  expect(() => byokChoice({ ...NONE, ...flags })).toThrow(
    expect.objectContaining({ code: "USAGE", detail: expect.stringMatching(says) }),
  );
});
