// One process that runs a program repeatedly, because loading the modules of a large program takes longer than a run.
import { fork } from "node:child_process";
import { once } from "node:events";

/** The output of a run, and the exit code that its process would have. */
export interface HostedRun {
  readonly exit: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Host {
  /** Runs one after the other. Rejects if the process ends. */
  readonly run: (words: readonly string[]) => Promise<HostedRun>;
  readonly close: () => Promise<void>;
}

interface HostOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a module that calls `host` of fixtures/host.ts. */
export function startHost(module: string, options: HostOptions = {}): Host {
  const child = fork(module, { ...options, stdio: ["ignore", "ignore", "pipe", "ipc"] });
  // Also for programs that it starts.
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = once(child, "exit");
  const lost = ended.then(([code]) => {
    throw new Error(`${module} ended with ${code}:\n${stderr}`);
  });
  lost.catch(() => undefined);
  let previous: Promise<unknown> = Promise.resolve();
  const runAfter = async (before: Promise<unknown>, words: readonly string[]) => {
    await before.catch(() => undefined);
    const reply = once(child, "message");
    child.send(words);
    const [run]: HostedRun[] = await Promise.race([reply, lost]);
    if (run === undefined) throw new Error("a host replies with its run");
    return run;
  };
  return {
    run(words) {
      const run = runAfter(previous, words);
      previous = run;
      return run;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
