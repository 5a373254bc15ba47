// A missing namespace and one of another owner: the same bytes, except for the name.
import { expect } from "vitest";

import { promise } from "../promise.ts";
import { ALL_TOOLS } from "./calls.ts";
import { leaked } from "./canaries.ts";
import { Channels, type Channel } from "./channels.ts";
import { THEIRS } from "./folders.ts";
import { createWorld, type World } from "./world.ts";

/** As long as the other name, so that lengths can be compared as well. */
const ABSENT = THEIRS.name.replaceAll(/[a-z]/g, "x");
const CHANNELS: readonly Channel[] = ["http", "http-modern", "stdio", "stdio-modern"];

/** Arguments for which the tool would answer. */
function inputsOf({ roots }: World): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  return {
    search_context: { query: "ledger" },
    search_text: { pattern: "ledger" },
    find_symbol: { name: "settleInvoice" },
    read_context: { targets: ["src/ledger.ts"] },
    find_references: { symbol: "settleInvoice" },
    analyze_impact: { target: "settleInvoice" },
    find_related: { target: "src/ledger.ts" },
    index_source: { source: roots[THEIRS.name] },
    list_changes: { since: "0" },
    set_monitor: { action: "list" },
  };
}

promise(
  [28],
  "another caller's namespace is refused with the same words as one that does not exist",
  async () => {
    const world = await createWorld({ hasTheirs: true });
    const channels = new Channels(world);
    const inputs = inputsOf(world);
    let cases = 0;
    for (const asker of ["mine", "mine-read-only", "two", "gone"]) {
      for (const [channel, tool] of CHANNELS.flatMap((one) =>
        ALL_TOOLS.map((name) => [one, name] as const),
      )) {
        const ask = async (namespace: string): Promise<string> => {
          const input = { ...inputs[tool], namespace };
          const call = { tool, input, wantsProgress: true };
          const { [asker]: found } = world.askers;
          if (found === undefined) throw new Error(`there is no ${asker}`);
          const answer = await channels.ask(channel, found, call);
          return answer
            .replaceAll(namespace, "NAME")
            .replaceAll(/\nDate\n[^\n]*|"id":"auto-\d+"/g, "");
        };
        const absent = await ask(ABSENT);
        expect(absent).toContain(
          asker === "mine-read-only" && isWriting(tool) ? "FORBIDDEN" : "NAMESPACE_NOT_FOUND",
        );
        const where = `${asker} ${channel} ${tool}`;
        expect({ where, answer: await ask(THEIRS.name) }).toEqual({ where, answer: absent });
        cases += 1;
      }
    }
    return cases;
  },
);

promise(
  [28],
  "an answer without a credential, or with a wrong one, contains nothing about any namespace",
  async () => {
    const world = await createWorld({ hasTheirs: true });
    const channels = new Channels(world);
    const { askers } = world;
    const secrets = [undefined, askers["mine"]?.secret, askers["mine-key"]?.secret, "svt_wrong"];
    let cases = 0;
    for (const path of [
      "/",
      "/metrics",
      "/healthz",
      "/readyz",
      "/openapi.json",
      "/mcp",
      "/v1/search",
      `/${THEIRS.name}`,
    ]) {
      for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
        for (const secret of secrets) {
          const headers =
            secret === undefined ? {} : { Authorization: `Bearer ${secret}`, "X-API-Key": secret };
          // A stream of events has no end.
          if (path === "/mcp" && method === "GET" && secret?.startsWith("svt_") === true) continue;
          const answer = await channels.send(path, { method, headers });
          const where = `${method} ${path}`;
          const leaks = leaked([THEIRS.canaries], { answer, request: path });
          expect({ where, leaks }).toEqual({ where, leaks: [] });
          cases += 1;
        }
      }
    }
    return cases;
  },
);

function isWriting(tool: string): boolean {
  return ["index_source", "set_monitor"].includes(tool);
}
