import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { programEntry } from "../../../src/base/assets.ts";
import { fixturePath, tempHome } from "../home.ts";
import { promise } from "../../trust/promise.ts";

interface Asking {
  readonly parent: ChildProcessWithoutNullStreams;
  /** The agent's connection to the silent bus; closed when the agent exits. */
  readonly connection: Socket;
  readonly agent: number;
}

/** Starts a process whose keychain agent hangs, because nobody on the session bus replies. */
async function call(): Promise<Asking> {
  const { root } = tempHome();
  const bus = join(root, "mute-bus");
  const server = createServer().listen(bus);
  await once(server, "listening");
  const parent = spawn(process.execPath, [fixturePath("ask-keychain.ts"), join(root, "native")], {
    env: {
      PATH: process.env["PATH"],
      DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}`,
      SERVICE_TOKEN: "svt_0",
      SERVICE_PASSPHRASE: "open sesame",
    },
  });
  onTestFinished(() => {
    parent.kill("SIGKILL");
    server.close();
  });
  const [connection]: Socket[] = await once(server, "connection");
  if (connection === undefined) throw new Error("the bus has no client");
  // Without a reader the end of the connection would not be noticed.
  connection.on("error", () => {}).resume();
  const children = readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8");
  return { parent, connection, agent: Number(children) };
}

test("the agent's arguments and environment contain neither the request nor a setting of svc", async () => {
  const { agent } = await call();
  const [command, environment] = ["cmdline", "environ"].map((name) =>
    readFileSync(`/proc/${agent}/${name}`, "utf8").split("\0"),
  );
  const { args } = programEntry("keychain-agent");
  expect(command).toEqual([process.execPath, ...args, ""]);
  expect(environment?.map((line) => line.split("=")[0]).toSorted()).toEqual([
    "",
    "DBUS_SESSION_BUS_ADDRESS",
    "PATH",
    "XDG_RUNTIME_DIR",
  ]);
});

promise(
  [41],
  "a keychain process that hangs is killed at the limit, and svc exits at once",
  async () => {
    const { parent, connection } = await call();
    const closed = once(connection, "close");
    const [output] = await once(parent.stdout, "data");
    expect(String(output)).toBe("Error: it did not answer within 3000 ms; timers: 0");
    const [[exitCode]] = await Promise.all([once(parent, "exit"), closed]);
    expect(exitCode).toBe(0);
    return 1;
  },
);

test("cancelling ends the wait and the agent at once", async () => {
  const { parent, connection } = await call();
  const closed = once(connection, "close");
  parent.stdin.write("give up\n");
  const [output] = await once(parent.stdout, "data");
  // The timer that would kill the agent at its limit is cancelled too.
  expect(String(output)).toBe("Error: the request was cancelled; timers: 0");
  const [[exitCode]] = await Promise.all([once(parent, "exit"), closed]);
  expect(exitCode).toBe(0);
});

test("an agent whose parent was killed exits", async () => {
  const { parent, connection } = await call();
  parent.kill("SIGKILL");
  await once(connection, "close");
  expect(connection.destroyed).toBe(true);
});

test.each(["", "no JSON\n", "{}\n", '{"action":"list","account":"a","nativeDirectory":"/n"}\n'])(
  "the agent answers %j with a problem",
  (input) => {
    const { command, args } = programEntry("keychain-agent");
    const { stdout, status } = spawnSync(command, args, { input, encoding: "utf8" });
    expect(JSON.parse(stdout)).toEqual({ problem: expect.any(String) });
    expect(status).toBe(0);
  },
);
