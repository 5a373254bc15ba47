// The disk after a power cut at any moment of an index run, rebuilt from the calls of the run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished } from "vitest";

import { DiskModel, plantDisk } from "../../credentials/faults/disk-model.ts";
import { diskSteps } from "../../credentials/faults/disk-steps.ts";
import { memoryHome, startCommand } from "../../credentials/faults/programs.ts";
import { readTrace, traced } from "../../credentials/faults/system-calls.ts";
import { look, problemsOf } from "../../engine/fixtures/check-index.ts";
import { bundledProgram } from "../../helpers/bundled-program.ts";
import { sourceAt } from "../../helpers/indexed-tree.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { promise, sized } from "../promise.ts";
import { answersOf, NAMESPACE, projectFiles, runOver } from "./queried-index.ts";
import { needs } from "../../helpers/needs.ts";
import { reportedRandom } from "../../helpers/reported-random.ts";

const PROGRAM = bundledProgram(join(import.meta.dirname, "../../engine/fixtures/index-once.ts"));

const UNSYNCED_STATES = 40;

/** The files of a directory, each as an operation of the model. */
function filesIn(root: string): readonly { readonly path: string; readonly bytes: Buffer }[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, bytes: readFileSync(path) }));
}

needs(["strace"], () => {
  promise(
    [2],
    "a power failure at any moment of an index run leaves a complete index that opens at one of its generations",
    async () => {
      const { path: project, dispose } = tree(projectFiles());
      const { root } = memoryHome();
      const data = join(root, "data");
      onTestFinished(dispose);
      await runOver(project, data);
      const before = filesIn(data);
      for (let at = 0; at < 12; at += 1) {
        plant(project, { [`src/part${at}.ts`]: `export const again${at} = turn${at};\n` });
      }
      const job = { dataDirectory: data, namespace: NAMESPACE, sources: [sourceAt(project)] };
      const trace = join(root, "trace");
      const words = [PROGRAM, JSON.stringify({ ...job, rebuild: false, waitMs: 0 })];
      const { end, errors } = await startCommand([
        ...traced(trace, { opens: true }),
        process.execPath,
        ...words,
      ]).ended;
      expect([end, errors]).toEqual([0, ""]);
      const known = new Set(before.map(({ path }) => path));
      const steps = diskSteps(readTrace(trace), data, known).filter(({ kind }) => kind !== "print");
      expect(steps.length).toBeGreaterThan(20);
      const random = reportedRandom("power cuts");
      const states = sized({ quick: 25, full: 1000, soak: 10_000 });
      /** Cuts the power at a random moment; also for a disk that loses data it was asked to sync. */
      const cut = (taken: typeof steps): number => {
        const disk = new DiskModel();
        for (const { path, bytes } of before) {
          disk.apply({ kind: "create", path });
          disk.apply({ kind: "write", path, bytes });
          disk.apply({ kind: "sync", path });
          disk.apply({ kind: "sync", path: join(path, "..") });
        }
        const at = Math.floor(random() * (taken.length + 1));
        for (const step of taken.slice(0, at)) if (step.kind !== "print") disk.apply(step);
        plantDisk(data, ["namespaces/project/segments"], disk.afterPowerCut(random));
        return at;
      };
      const unsynced = steps.filter(({ kind }) => kind !== "sync");
      let harmed = 0;
      for (let state = 0; state < UNSYNCED_STATES; state += 1) {
        cut(unsynced);
        // oxlint-disable-next-line no-await-in-loop -- one state after another in one place
        const problems = await look(data, NAMESPACE, problemsOf).catch(() => ["refused"]);
        harmed += Number(problems === undefined || problems.length > 0);
      }
      // The model finds damage where there is some.
      expect(harmed).toBeGreaterThan(0);
      for (let state = 0; state < states; state += 1) {
        const at = cut(steps);
        // oxlint-disable-next-line no-await-in-loop -- one state after another in one place
        expect([at, await look(data, NAMESPACE, problemsOf)]).toEqual([at, []]);
        if (state % 5 !== 0) continue;
        // oxlint-disable-next-line no-await-in-loop -- as above
        await runOver(project, data);
        // oxlint-disable-next-line no-await-in-loop -- as above
        const { "every file": found } = await answersOf(project, data);
        expect([at, found]).toEqual([at, expect.stringContaining("docs/wheel0.md")]);
        // oxlint-disable-next-line no-await-in-loop -- as above
        expect([at, await look(data, NAMESPACE, problemsOf)]).toEqual([at, []]);
      }
      return states;
    },
  );
});
