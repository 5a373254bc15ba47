// Opens a file in the user's browser, with the program that the system has for it (docs/decisions/0073).
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";

/** The desktop that the user sees, if there is one. */
export interface Desktop {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** A program and its arguments without the file. */
interface Opener {
  readonly program: string;
  readonly args: readonly string[];
}

/** An opener that is still busy after so long has opened the browser, and waits for its end. */
const MAX_WAIT_MS = 3000;

/**
 * Returns the program that opens files; undefined on a machine without a desktop. It is named by an absolute path: a
 * relative folder in PATH could be the folder of a project, whose programs svc does not run.
 */
export function findOpener({ platform, environment }: Desktop): Opener | undefined {
  if (platform === "darwin") return { program: "/usr/bin/open", args: [] };
  if (platform === "win32") {
    const { SystemRoot: root = "C:\\Windows" } = environment;
    const program = path.win32.join(root, "System32", "rundll32.exe");
    return { program, args: ["url.dll,FileProtocolHandler"] };
  }
  const { DISPLAY: x11 = "", WAYLAND_DISPLAY: wayland = "", PATH: searched = "" } = environment;
  if (x11 === "" && wayland === "") return undefined;
  const program = searched
    .split(":")
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, "xdg-open"))
    .find(isProgram);
  return program === undefined ? undefined : { program, args: [] };
}

/** Returns true if the program has taken the file. `directory` is its working directory. Never rejects. */
export function openInBrowser(
  file: string,
  directory: string,
  { environment, ...desktop }: Desktop,
): Promise<boolean> {
  const opener = findOpener({ environment, ...desktop });
  if (opener === undefined) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(opener.program, [...opener.args, file], {
    cwd: directory,
    env: environment,
    stdio: "ignore",
    detached: true,
    windowsHide: true,
  });
  const timer = setTimeout(() => resolve(true), MAX_WAIT_MS);
  child.once("error", () => resolve(false)).once("exit", (code) => resolve(code === 0));
  child.unref();
  return promise.finally(() => clearTimeout(timer));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
