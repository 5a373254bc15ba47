import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";

interface Bus {
  /** For DBUS_SESSION_BUS_ADDRESS. */
  readonly address: string;
  readonly stop: () => Promise<void>;
}

/** Leads to no bus, as on a machine without a desktop. */
export const NO_BUS = "unix:path=/nonexistent";

const SESSION_RUNNER = "dbus-run-session";
const KEYRING = "gnome-keyring-daemon";

// The bus lives as long as `cat`, which is until the input is closed; the keyring ends with its bus.
const SESSION = `printf password | ${KEYRING} --unlock --components=secrets >/dev/null &&
  echo "$DBUS_SESSION_BUS_ADDRESS" && exec cat`;

/** What `startKeyring` needs and this machine does not have. */
export function missingPrograms(): readonly string[] {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return [SESSION_RUNNER, KEYRING].filter(
    (name) => !folders.some((folder) => isProgram(path.join(folder, name))),
  );
}

/** A session bus of its own with a gnome-keyring that holds nothing yet and is unlocked. */
export async function startKeyring(): Promise<Bus> {
  const home = mkdtempSync(path.join(os.tmpdir(), "svc-keyring-"));
  const session = spawn(SESSION_RUNNER, ["--", "sh", "-c", SESSION], {
    env: { PATH: process.env["PATH"], HOME: home, XDG_RUNTIME_DIR: home },
  });
  const ended = once(session, "close");
  let log = "";
  session.stderr.setEncoding("utf8").on("data", (text: string) => {
    log += text;
  });
  const [line] = await Promise.race([once(session.stdout, "data"), ended]);
  if (!Buffer.isBuffer(line)) throw new Error(`there is no session bus: ${log}`);
  return {
    address: line.toString().trim(),
    async stop() {
      session.stdin.end();
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** A session bus that takes connections and never says a word. */
export async function startMuteBus(): Promise<Bus> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "svc-mute-"));
  const socket = path.join(folder, "bus");
  // Read, because otherwise the end of a connection is never seen and the server never closes.
  const server = createServer((connection) => connection.on("error", () => {}).resume());
  server.listen(socket);
  await once(server, "listening");
  return {
    address: `unix:path=${socket}`,
    async stop() {
      const closed = once(server, "close");
      server.close();
      await closed;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
