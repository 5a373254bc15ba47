// The shipped program, over both transports: what a client needs to reach it.
import { join } from "node:path";

import { createTokenFor, outputHere } from "../../spec/commands-here.ts";
import { startHttp } from "../../spec/http-server.ts";
import { addToken } from "../../spec/open-store.ts";
import { createPlace, type Place } from "../../spec/program.ts";

export const SVC = join(import.meta.dirname, "../../../dist/svc");

/** Each client has its own credential. */
export interface Credential {
  readonly id: string;
  readonly token: string;
}

export interface Target {
  readonly place: Place;
  /** URL of the server, without a path. */
  readonly url: string;
  readonly credential: () => Promise<Credential>;
  readonly close: () => Promise<void>;
}

/** `svc serve` over a small indexed project. */
export async function startTarget(): Promise<Target> {
  process.env["SVC_BIN"] = SVC;
  const place = createPlace({ "docs/tides.md": "# Tides\n\nThe tide turns twice a day.\n" });
  await outputHere(place, "index", place.root);
  // Creates the store of the other tokens.
  await createTokenFor(place);
  const server = await startHttp(place);
  return {
    place,
    url: server.url,
    credential: () => addToken(place),
    async close() {
      await server.close();
      place.remove();
    },
  };
}

/** The environment of a server that a client starts: clients pass on little of their own environment. */
export function environmentOf({ home }: Place, token: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    SERVICE_HOME: join(home, "data"),
    DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent",
    SERVICE_TOKEN: token,
  };
}
