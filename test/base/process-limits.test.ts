// System limits under which svc cannot work are reported by name, instead of their consequences.
import { expect, test } from "vitest";

import { credentialMachine } from "../cli/credential-machine.ts";
import { runProgram } from "../cli/process.ts";

const isLinux = process.platform === "linux";

/** Starts the program with a limit of the shell. */
function limited(limit: string): { readonly through: readonly string[] } {
  return { through: ["sh", "-c", `ulimit ${limit}; exec "$@"`, "sh"] };
}

test.each(
  isLinux
    ? [
        ["-n 40", /may open only 40 files.*\n.*ulimit -n 1024/],
        ["-v 3000000", /only 2\.9 GiB of address space.*\n.*ulimit -v unlimited/],
      ]
    : [],
)(
  "ulimit %s is named, with the way out",
  async (limit, message) => {
    const place = credentialMachine({}, { "a.md": "# One\n" });
    for (const words of [["index"], ["search", "one"], ["status"], ["auth", "token", "list"]]) {
      // oxlint-disable-next-line no-await-in-loop -- one process after the other
      const run = await runProgram(place, words, limited(limit));
      expect(run).toMatchObject({ code: 2, out: "", err: expect.stringMatching(message) });
      expect(run.err.trim().split("\n")).toHaveLength(2);
    }
    // A command that needs no such resource works.
    expect((await runProgram(place, ["--version"], limited(limit))).code).toBe(0);
  },
  60_000,
);

test.each(isLinux ? [["-n 64"], ["-v 4194304"]] : [])(
  "ulimit %s is enough for a small project",
  async (limit) => {
    const place = credentialMachine({}, { "a.ts": "export function one(): void {}\n" });
    const run = (...words: readonly string[]) => runProgram(place, words, limited(limit));
    expect(await run("index")).toMatchObject({ code: 0 });
    expect(await run("search", "one")).toMatchObject({
      code: 0,
      out: expect.stringContaining("a.ts"),
    });
  },
  60_000,
);
