// A first index that is interrupted in session after session continues where it stopped.
// oxlint-disable no-await-in-loop -- one session after the other
import { utimesSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createTokenFor } from "../spec/commands-here.ts";
import { createPlace, exitCode, startProgram, svc } from "../spec/program.ts";

process.env["SVC_BIN"] ??= join(import.meta.dirname, "../../dist/svc");

const FILES = 2400;
/** The test ends the session when it has reported this many files. */
const READ_PER_SESSION = 640;
/**
 * The minimum number of committed files by then: at most a third is lost, and the files read since the last message.
 */
const MIN_COMMITTED = 384;
/** Many sessions, each of which starts the program: on a busy machine that takes minutes. */
const TEST_MS = 600_000;

function pageOf(name: string): string {
  return `# ${name}\n\n${`What ${name} says of the tide at the pier. `.repeat(12)}\n`;
}

interface Session {
  /** Number of files that the session reported as its total. */
  readonly toRead: number;
  /** Whether the run came to its end before the session was ended. */
  readonly isDone: boolean;
}

test(
  "sessions that are killed in the middle of the first index: none reads again what one before it has committed",
  async () => {
    const names = Array.from({ length: FILES }, (_, at) => `docs/p${at % 40}/page-${at}.md`);
    const place = createPlace(Object.fromEntries(names.map((name) => [name, pageOf(name)])));
    // The run would check files written at this very moment once more.
    for (const name of names) utimesSync(join(place.root, name), 1_700_000_000, 1_700_000_000);
    const { token } = await createTokenFor(place);

    /** `before`: files that earlier sessions have committed. */
    const session = async (before: number): Promise<Session> => {
      const child = startProgram(place, ["mcp", "--stdio"], { SERVICE_TOKEN: token });
      const ended = exitCode(child);
      child.stdin.on("error", () => {});
      child.stderr.resume();
      // A call ends after its wait, whether or not the index is complete. On a busy machine others follow, and their
      // replies report the progress.
      const ask = (id: number): void => {
        const params = {
          name: "index_source",
          arguments: { source: place.root, wait_ms: id === 1 ? 25_000 : 300 },
          _meta: { progressToken: `index ${id}` },
        };
        const message = { jsonrpc: "2.0", id, method: "tools/call", params };
        child.stdin.write(`${JSON.stringify(message)}\n`);
      };
      let calls = 1;
      ask(calls);
      let toRead = 0;
      let isDone = false;
      for await (const line of createInterface({ input: child.stdout })) {
        const [, done = "0", total = "0"] = /"words (\d+)\/(\d+)"/.exec(line) ?? [];
        toRead = Math.max(toRead, Number(total));
        const isReply = line.includes(`"id":${calls}`);
        isDone = isReply && line.includes('"done":true');
        const [, all = "0"] = /"name":"words","done":(\d+)/.exec(line) ?? [];
        if (isDone || Math.max(Number(done), Number(all) - before) >= READ_PER_SESSION) break;
        if (isReply) ask((calls += 1));
      }
      child.kill("SIGKILL");
      await ended;
      return { toRead, isDone };
    };

    let committed = 0;
    let sessions = 0;
    let isDone = false;
    while (!isDone) {
      sessions += 1;
      const before = committed;
      const ended = await session(before);
      ({ isDone } = ended);
      committed = await filesWithWords(place);
      // The run had to read the uncommitted files and no others.
      expect([sessions, ended.toRead]).toEqual([sessions, FILES - before]);
      expect(committed - before).toBeGreaterThanOrEqual(
        Math.min(MIN_COMMITTED, isDone ? FILES - before : MIN_COMMITTED),
      );
    }
    expect(sessions).toBeGreaterThan(2);
    expect(committed).toBe(FILES);
    place.remove();
  },
  TEST_MS,
);

async function filesWithWords(place: Parameters<typeof svc>[0]): Promise<number> {
  interface Status {
    readonly namespaces: readonly {
      readonly stages: readonly { readonly name: string; readonly done: number }[];
    }[];
  }
  const status: Status = JSON.parse((await svc(place, "status", "--json")).stdout);
  const stages = status.namespaces[0]?.stages ?? [];
  return stages.find(({ name }) => name === "words")?.done ?? 0;
}
