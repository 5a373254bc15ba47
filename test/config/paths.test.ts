import { resolve } from "node:path";

import { expect, test } from "vitest";

import { resolveDirectories, type Environment } from "../../src/config/paths.ts";
import { createSettings, readConfiguration, terminalSettings } from "../../src/config/settings.ts";

/** Settings of a Linux account with this environment, and without a config.json. */
function call(env: Environment, defaultLogLevel?: "info" | "warn") {
  return createSettings(
    configuration(env),
    defaultLogLevel === undefined ? {} : { defaultLogLevel },
  );
}

function configuration(env: Environment) {
  return readConfiguration({ env, platform: "linux", home: "/home/ann" });
}

test.each<[string, NodeJS.Platform, string, Environment, string, string]>([
  ["XDG", "linux", "/home/ann", { XDG_DATA_HOME: "/d", XDG_CONFIG_HOME: "/c" }, "/d/svc", "/c/svc"],
  [
    "relative XDG values, which the specification ignores",
    "linux",
    "/home/ann",
    { XDG_DATA_HOME: "d", XDG_CONFIG_HOME: "" },
    "/home/ann/.local/share/svc",
    "/home/ann/.config/svc",
  ],
  [
    "macOS",
    "darwin",
    "/Users/ann",
    { XDG_DATA_HOME: "/d" },
    "/Users/ann/Library/Application Support/svc",
    "/Users/ann/Library/Preferences/svc",
  ],
  [
    "Windows",
    "win32",
    "C:\\Users\\ann",
    { LOCALAPPDATA: "D:\\Local", APPDATA: "D:\\Roaming" },
    "D:\\Local\\svc",
    "D:\\Roaming\\svc",
  ],
  [
    "Windows without its variables",
    "win32",
    "C:\\Users\\ann",
    {},
    "C:\\Users\\ann\\AppData\\Local\\svc",
    "C:\\Users\\ann\\AppData\\Roaming\\svc",
  ],
  [
    "our own variables",
    "linux",
    "/home/ann",
    { SERVICE_HOME: "/srv/a", SERVICE_CONFIG_HOME: "/srv/b", XDG_DATA_HOME: "/d" },
    "/srv/a",
    "/srv/b",
  ],
  [
    "a tilde that no shell expanded",
    "linux",
    "/home/ann",
    { SERVICE_HOME: "~/a", SERVICE_CONFIG_HOME: "~" },
    "/home/ann/a",
    "/home/ann",
  ],
  [
    "a relative folder",
    "linux",
    "/home/ann",
    { SERVICE_HOME: "a", SERVICE_CONFIG_HOME: "./b" },
    resolve("a"),
    resolve("b"),
  ],
])("directories follow %s", (...[, platform, home, env, dataDirectory, configDirectory]) => {
  expect(resolveDirectories({ env, platform, home })).toEqual({ dataDirectory, configDirectory });
});

test("each data directory has its own key directory in the configuration directory", () => {
  const shared = { SERVICE_CONFIG_HOME: "/srv/config" };
  const all = [
    {},
    { SERVICE_HOME: "/srv/a" },
    { SERVICE_HOME: "/srv/b" },
    { XDG_DATA_HOME: "/srv/c" },
    shared,
    { ...shared, SERVICE_HOME: "/srv/a" },
    { ...shared, SERVICE_HOME: "/srv/b" },
  ].map((env) => call(env).keyDirectory);
  expect(new Set(all).size).toBe(all.length);
  expect(all.map((path) => path.replace(/[0-9a-f]{12}$/, "#"))).toEqual([
    ...Array.from({ length: 4 }, () => "/home/ann/.config/svc/keys-#"),
    ...Array.from({ length: 3 }, () => "/srv/config/keys-#"),
  ]);
});

test.each([
  ["/srv/a/", "/srv/a"],
  ["/srv/x/../a", "/srv/a"],
  ["~/a", "/home/ann/a"],
  ["/home/ann/.local/share/svc", ""],
])("SERVICE_HOME %s has the key directory of %j", (spelling, plain) => {
  const expected = call({ SERVICE_HOME: plain }).keyDirectory;
  expect(call({ SERVICE_HOME: spelling }).keyDirectory).toBe(expected);
});

test("an account without a home needs both directory variables", () => {
  const machine = { platform: "linux" as const, home: undefined };
  expect(resolveDirectories({ env: {}, ...machine })).toBeUndefined();
  const homeless = { ...configuration({}), directories: undefined };
  expect(() => createSettings(homeless)).toThrow("home directory");
  expect(terminalSettings(homeless)).toMatchObject({
    color: "auto",
    hyperlinks: false,
    debug: false,
  });
  const env = { SERVICE_HOME: "/a", SERVICE_CONFIG_HOME: "/b" };
  expect(resolveDirectories({ env, ...machine })).toEqual({
    dataDirectory: "/a",
    configDirectory: "/b",
  });
});
