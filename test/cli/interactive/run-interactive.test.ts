import { afterAll, expect, test } from "vitest";

import { createMachine } from "../../helpers/cli.ts";

const here = createMachine({ "src/a.ts": "export function open() {}\n" });
afterAll(() => here.dispose());

test.each([["search", "-i"], ["search", "open", "--interactive"], ["-i"]])(
  "%j without a terminal is refused, and says what to do",
  async (...words) => {
    const { code, out, err } = await here.piped("", ...words);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("svc: -i needs a terminal.\nOmit -i to print the results.\n");
  },
);
