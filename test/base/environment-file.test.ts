import { expect, test } from "vitest";

import { isEnvironmentFile } from "../../src/base/environment-file.ts";

test("files of environment variables are known by their names", () => {
  const names = [".env", ".env.example", ".env.example.complete", "server.env", "env.sample"];
  const others = ["environment.ts", "env", "my.env.test.ts", "envoy.yaml", "venv.cfg"];
  expect([...names, "server.env.example"].filter((name) => !isEnvironmentFile(name))).toEqual([]);
  expect(others.filter(isEnvironmentFile)).toEqual([]);
});
