import { expect, test } from "vitest";

import { type Environment } from "../../src/config/paths.ts";
import {
  createSettings,
  readConfiguration,
  readProgramEnvironment,
  readSessionEnvironment,
  terminalSettings,
} from "../../src/config/settings.ts";

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

test("an empty environment gives the defaults", () => {
  expect(call({})).toEqual({
    dataDirectory: "/home/ann/.local/share/svc",
    cacheDirectory: "/home/ann/.local/share/svc/cache",
    cacheLimitBytes: undefined,
    shardChunks: 2_500_000,
    nodeAddress: undefined,
    configDirectory: "/home/ann/.config/svc",
    keyDirectory: "/home/ann/.config/svc/keys-a078240d9034",
    home: "/home/ann",
    token: undefined,
    namespace: undefined,
    passphrase: undefined,
    keyFile: undefined,
    auditQuery: false,
    queueTimeoutSeconds: 10,
    logLevel: "warn",
    debug: false,
    noColor: false,
    clientVariables: {},
    packageFolders: {
      cargoSources: "/home/ann/.cargo/registry/src",
      goModules: "/home/ann/go/pkg/mod",
      virtualEnvironment: undefined,
    },
    resolution: expect.objectContaining({ problems: [] }),
  });
});

test("only the variables that clients use are passed on", () => {
  const { clientVariables } = call({
    PATH: "/bin",
    CODEX_HOME: "/c",
    SERVICE_TOKEN: "x",
    TERM: "t",
  });
  expect(clientVariables).toEqual({ PATH: "/bin", CODEX_HOME: "/c" });
});

test("settings cannot be changed", () => {
  expect(Object.isFrozen(call({}))).toBe(true);
});

/** The environment of a child process of user 1000. */
function callSession(env: Environment, platform: NodeJS.Platform = "linux"): Environment {
  return readSessionEnvironment({ env, platform, userId: 1000 });
}

test("another process of svc gets no setting of svc and no option of Node", () => {
  const kept = { PATH: "/bin", PGPASSFILE: "/p", HTTPS_PROXY: "http://proxy", SERVICES: "x" };
  const settings = { SERVICE_TOKEN: "t", SERVICE_PASSPHRASE: "p", SERVICE_WEBHOOK_SECRET: "w" };
  expect(readProgramEnvironment({ ...kept, ...settings, NODE_OPTIONS: "--inspect" })).toEqual(kept);
});

test("a server with a bare environment finds the session where systemd puts it", () => {
  const bare = { HOME: "/home/ann", XDG_RUNTIME_DIR: "" };
  const expected = { HOME: "/home/ann", XDG_RUNTIME_DIR: "/run/user/1000" };
  expect(callSession(bare)).toEqual(expected);
  expect(callSession(bare, "darwin")).toEqual({ HOME: "/home/ann" });
});

test("a child process gets only the variables of the session", () => {
  const session = {
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus",
    XDG_RUNTIME_DIR: "/run/elsewhere",
    DISPLAY: ":0",
    WAYLAND_DISPLAY: "wayland-0",
    HOME: "/home/ann",
    USER: "ann",
    PATH: "/usr/bin",
    LANG: "de_DE.UTF-8",
  };
  const others = {
    SERVICE_TOKEN: "svt_secret",
    SERVICE_PASSPHRASE: "secret",
    SERVICE_HOME: "/srv/a",
    NODE_OPTIONS: "--inspect",
    LD_PRELOAD: "/tmp/a.so",
    AWS_SECRET_ACCESS_KEY: "secret",
  };
  expect(callSession({ ...session, ...others })).toEqual(session);
});

test.each([
  ["svt_abc", "svt_abc"],
  [" svt_abc\n", "svt_abc"],
  ["", undefined],
  ["  ", undefined],
  ["${SERVICE_TOKEN}", undefined],
  ["${env:SERVICE_TOKEN}", undefined],
  ["${input:token}", undefined],
])("the token %j is read as %j", (given, expected) => {
  expect(call({ SERVICE_TOKEN: given }).token).toBe(expected);
});

test("a placeholder counts as unset for folders and names too", () => {
  const settings = call({ SERVICE_HOME: "${HOME_OF_SVC}", SERVICE_NAMESPACE: "${NS}" });
  expect(settings.dataDirectory).toBe("/home/ann/.local/share/svc");
  expect(settings.namespace).toBeUndefined();
});

test("a passphrase keeps its blanks", () => {
  expect(call({ SERVICE_PASSPHRASE: " a b " }).passphrase).toBe(" a b ");
});

test.each([
  [{}, "info"],
  [{ SERVICE_LOG_LEVEL: "debug" }, "debug"],
  [{ SERVICE_LOG_LEVEL: "WARN" }, "warn"],
  [{ SERVICE_LOG_LEVEL: "" }, "info"],
  [{ SERVICE_DEBUG: "true" }, "debug"],
  [{ SERVICE_DEBUG: "true", SERVICE_LOG_LEVEL: "warn" }, "debug"],
  [{ SERVICE_DEBUG: "false" }, "info"],
])("with %j a server logs at %s", (env, level) => {
  expect(call(env, "info").logLevel).toBe(level);
});

test("an unknown log level is refused with the known ones", () => {
  expect(() => call({ SERVICE_LOG_LEVEL: "loud" })).toThrow(
    expect.objectContaining({
      code: "INVALID_SETTINGS",
      message: 'SERVICE_LOG_LEVEL is "loud".',
      hint: "Set it to info, debug or warn, or leave it unset.",
    }),
  );
});

test.each([
  [{}, "auto"],
  [{ NO_COLOR: "1" }, "never"],
  [{ NO_COLOR: "" }, "auto"],
  [{ TERM: "dumb" }, "never"],
  [{ FORCE_COLOR: "1" }, "always"],
  [{ FORCE_COLOR: "0" }, "never"],
  [{ FORCE_COLOR: "", NO_COLOR: "1" }, "never"],
  [{ FORCE_COLOR: "3", NO_COLOR: "1", TERM: "dumb" }, "always"],
])("with %j color is %s", (env, colour) => {
  expect(terminalSettings(configuration(env)).color).toBe(colour);
  expect(call(env).noColor).toBe(colour === "never");
});

test("the terminal settings work with any environment", () => {
  const env = { SERVICE_LOG_LEVEL: "loud", SERVICE_DEBUG: "true" };
  expect(terminalSettings(configuration(env))).toEqual({
    color: "auto",
    hyperlinks: false,
    debug: true,
    pager: "less",
    editor: undefined,
  });
});
