import { globSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { createPlace, exitCode, startProgram, type Place } from "../spec/program.ts";

/** Runs `auth token create` with this SERVICE_HOME, below the home that all calls share; returns the exit code. */
function call(place: Place, serviceHome: string, name = "one"): Promise<number | null> {
  const child = startProgram(place, ["auth", "token", "create", "--name", name], {
    SERVICE_HOME: join(place.home, serviceHome),
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
  });
  return exitCode(child);
}

test("each SERVICE_HOME has its own credentials, even with the same home directory", async () => {
  const place = createPlace();
  onTestFinished(place.remove);
  expect(await call(place, "first")).toBe(0);
  expect(await call(place, "second")).toBe(0);
  expect(await call(place, "first", "two")).toBe(0);
  const keys = globSync("**/data.key", { cwd: join(place.home, ".config/svc") });
  expect(keys).toHaveLength(2);
});
