import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createMachine } from "../../helpers/cli.ts";

function call(words: readonly string[], env = {}, text = '{"color": "always"}') {
  const machine = createMachine({}, env);
  onTestFinished(machine.dispose);
  writeFileSync(join(machine.config, "config.json"), text, { mode: 0o600 });
  return machine.svc("config", "get", ...words);
}

test("standard output has only the value", async () => {
  expect(await call(["color"])).toEqual({ code: 0, out: "always\n", err: "" });
  expect(await call(["color"], { NO_COLOR: "1" })).toEqual({ code: 0, out: "never\n", err: "" });
  expect(await call(["debug"])).toEqual({ code: 0, out: "false\n", err: "" });
  expect(await call(["namespace", "--namespace", "a"])).toEqual({ code: 0, out: "a\n", err: "" });
});

test("a setting without a value prints nothing and exits with 1", async () => {
  expect(await call(["namespace"])).toEqual({ code: 1, out: "", err: "" });
  expect(await call(["token"])).toEqual({ code: 1, out: "", err: "" });
});

test("for a secret the output only shows that it is set", async () => {
  const env = { SERVICE_TOKEN: "svt_this_is_one" };
  expect(await call(["token"], env)).toEqual({ code: 0, out: "set\n", err: "" });
  const { out } = await call(["token", "--json"], env);
  expect(JSON.parse(out)).toEqual({
    name: "token",
    value: null,
    set: true,
    origin: "environment",
    source: "SERVICE_TOKEN",
  });
});

test("an unknown name is refused with the nearest one", async () => {
  const { code, out, err } = await call(["colour"]);
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain('There is no setting "colour".');
  expect(err).toContain("Did you mean color?");
});

test("a value that other commands refuse is not printed", async () => {
  const { code, out, err } = await call(["color"], {}, '{"color": "always", "x": 1}');
  expect([code, out]).toEqual([2, ""]);
  expect(err).toContain('there is no setting "x"');
});
