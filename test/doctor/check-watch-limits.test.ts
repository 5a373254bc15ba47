import { expect, test } from "vitest";
import { runProgram } from "../cli/process.ts";
import { complaintsIn, patientWith } from "./patient.ts";
import { needs } from "../helpers/needs.ts";

const here = patientWith(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`many/${at}/a.md`, "# A\n"])),
);

needs(["namespaces"], () => {
  test("an inotify limit below the number of folders", async () => {
    const through = [
      "unshare",
      "-Ur",
      "sh",
      "-c",
      'echo 9 > /proc/sys/user/max_inotify_watches; exec "$@"',
      "sh",
    ];
    expect(complaintsIn(await runProgram(here, ["doctor", "--json"], { through }))).toEqual([
      {
        check: "watch limits",
        state: "warning",
        what: "the sources have 24 folders to watch, and user.max_inotify_watches is 9",
        mend: expect.stringContaining("sudo sysctl user.max_inotify_watches=524288"),
      },
    ]);
  });
});
