// `svc serve --open`: shows the search page in the browser of who started the server, signed in.
import { join } from "node:path";

import { SvcError } from "../base/errors.ts";
import { isLoopback } from "../base/loopback.ts";
import { openInBrowser, type Desktop } from "../base/open-in-browser.ts";
import {
  ensureCheckedDirectory,
  removePrivateFile,
  replacePrivateFile,
} from "../credentials/private-files.ts";
import type { HttpServer } from "../transports/http/server.ts";
import type { Io } from "./io.ts";

/** In the data directory, which only the user can read. */
const FILE = "open-page.html";
/** How long the code works. */
const CODE_MS = 2 * 60_000;

/** Throws USAGE where the page would be for other people, or where there is none. */
export function requirePage({
  host,
  role,
}: {
  readonly host: string;
  readonly role?: string | undefined;
}): void {
  if (!isLoopback(host)) {
    throw new SvcError("USAGE", `--open cannot be used with --host ${host}.`, {
      hint: "--open signs in the person who starts the server, on this machine only. Others sign in with a key or a token.",
    });
  }
  if (role !== "index") return;
  throw new SvcError("USAGE", "--open cannot be used with --role index, which has no page.", {
    hint: "Omit one of them.",
  });
}

interface PageOptions {
  readonly io: Io;
  readonly dataDirectory: string;
  readonly desktop: Desktop;
}

/**
 * Opens the page, and prints its address for the case that no browser opens. Other users of the machine can read the
 * arguments of programs, so the browser gets a private file that leads to the address. Returns a function that removes
 * the file.
 */
export async function openPage(
  server: Pick<HttpServer, "url" | "newPageCode">,
  { io, dataDirectory, desktop }: PageOptions,
): Promise<() => void> {
  const address = `${server.url}/#code=${server.newPageCode()}`;
  const file = join(dataDirectory, FILE);
  const isWritten = writeRedirect(file, { address, dataDirectory });
  const isOpen = isWritten && (await openInBrowser(file, dataDirectory, desktop));
  io.err(
    isOpen
      ? `svc opened the page in your browser. If you do not see it, open this address within two minutes; it works once:\n${address}\n`
      : `svc found no browser. Open this address within two minutes; it works once:\n${address}\n`,
  );
  const remove = (): void => {
    if (isWritten) removePrivateFile(file);
  };
  setTimeout(remove, CODE_MS).unref();
  return remove;
}

/** Returns false where it cannot be written, as on a full disk: the printed address is enough. */
function writeRedirect(
  file: string,
  { address, dataDirectory }: { readonly address: string; readonly dataDirectory: string },
): boolean {
  try {
    ensureCheckedDirectory(dataDirectory);
    replacePrivateFile(file, redirectTo(address));
    return true;
  } catch {
    return false;
  }
}

function redirectTo(address: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>svc</title><meta http-equiv="refresh" content="0; url=${address}"><p><a href="${address}">svc</a>\n`;
}
