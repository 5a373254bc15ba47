import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { expect, test } from "vitest";

const SOURCE = pathToFileURL(join(import.meta.dirname, "../../src/cli/interrupt.ts")).href;

/** Sends each signal after the process has answered the previous one. Returns how it ended. */
async function call(signals: readonly NodeJS.Signals[]) {
  const script = `import { interruptSignal } from ${JSON.stringify(SOURCE)};
    const running = setInterval(() => {}, 1000);
    interruptSignal().addEventListener("abort", () => console.log("aborted"));
    process.stdin.resume().on("end", () => clearInterval(running));
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  for (const signal of signals) {
    await once(child.stdout, "data");
    child.kill(signal);
  }
  if (signals.length === 1) {
    await once(child.stdout, "data");
    child.stdin.end();
  }
  const [code, by] = await ended;
  return { code, by };
}

test.each<NodeJS.Signals>(["SIGINT", "SIGTERM"])("%s asks the command to end", async (signal) => {
  expect(await call([signal])).toEqual({ code: 0, by: null });
});

test("the second SIGINT ends the process", async () => {
  expect(await call(["SIGINT", "SIGINT"])).toEqual({ code: null, by: "SIGINT" });
});
