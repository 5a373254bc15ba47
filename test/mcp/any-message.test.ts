// Random client messages to a session with the real tools: nothing crashes, and each request gets one answer.
import * as fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";

import { createLogger } from "../../src/base/log.ts";
import { tools } from "../../src/tools/registry.ts";
import { createProject, request, type Project } from "../helpers/project.ts";
import { openSession } from "../helpers/rpc.ts";
import { promise, sized } from "../trust/promise.ts";
import { anySession, type AnySession } from "./any-message.ts";
import { Owed } from "./owed-replies.ts";

const LINES = 200;
let project: Project;
beforeAll(async () => {
  project = createProject({
    "src/tokens.ts": "/** Revokes. */\nexport function revokeToken(id: string): void {}\n",
    "test/tokens.test.ts": "test('revokeToken', () => revokeToken('a'));\n",
    "docs/tokens.md": "# Tokens\n\nCall revokeToken to revoke a token.\n",
  });
  await project.engine.index(request());
}, 30_000);
afterAll(() => project.dispose());

async function survive({ version, lines }: AnySession): Promise<void> {
  const {
    session,
    sent,
    exchange,
    request: ask,
  } = openSession({
    tools,
    engine: () => Promise.resolve(project.engine),
    logger: createLogger({ level: "warn", human: false, write: () => {} }),
  });
  if (version !== undefined) await ask("initialize", { protocolVersion: version }, "first");
  await exchange({ jsonrpc: "2.0", method: "notifications/initialized" });
  sent.length = 0;
  const owed = new Owed();
  const answered = lines.map((line) => {
    owed.line(line, version);
    return session.receive(line);
  });
  await session.endSubscriptions();
  await Promise.all(answered.map(async (one) => one));
  for (const message of sent.flat()) owed.came(message, project.data);
  expect(owed.wrong()).toEqual([]);
  expect((await ask("ping", {}, "last")).result).toEqual({});
  session.close();
}

promise(
  [17],
  "for any input, each request gets one reply in the form of the protocol, and notifications get none",
  async () => {
    const runs = sized({ quick: 10_000, full: 1_000_000, soak: 10_000_000 }) / LINES;
    // A failure prints its seed and the shortest failing session.
    await fc.assert(fc.asyncProperty(anySession(LINES), survive), { numRuns: runs });
    return runs * LINES;
  },
);
