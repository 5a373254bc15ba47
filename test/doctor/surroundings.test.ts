import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { takeExclusiveLock } from "../../src/base/exclusive-lock.ts";
import { lockHolderPid } from "../../src/base/lock-holder.ts";
import { isOld } from "../../src/doctor/check-git.ts";
import { credentialMachine } from "../cli/credential-machine.ts";
import { runProgram } from "../cli/process.ts";
import { plant } from "../helpers/tree.ts";
import { complaintsIn, patientWith } from "./patient.ts";
import { needs } from "../helpers/needs.ts";

const here = patientWith(
  Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`many/${at}/a.md`, "# A\n"])),
);

function mount(...words: readonly string[]): void {
  expect(spawnSync("mount", words).status).toBe(0);
}

/** Mounts a disk of this size, unmounted when the test ends. Returns a function that remounts it. */
function mountDisk(path: string, kibibytes: number): (options: string) => void {
  mkdirSync(path, { recursive: true });
  mount("-t", "tmpfs", "-o", `size=${kibibytes}k,mode=700`, "tmpfs", path);
  onTestFinished(() => void spawnSync("umount", ["-l", path]));
  return (options) => mount("-o", `remount,${options}`, path);
}

needs(["mount"], () => {
  test("a full disk", async () => {
    const bare = credentialMachine();
    mountDisk(bare.data, 1024);
    const [found, ...others] = complaintsIn(await bare.svc("doctor", "--json"));
    expect(others).toEqual([]);
    expect(found).toMatchObject({ check: "data directory", state: "failed" });
    expect(found?.what).toMatch(/MB free: the disk is full$/);
  });
});

test("a data directory that is a file", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "svc-file-")), "notes");
  onTestFinished(() => rmSync(join(file, ".."), { recursive: true }));
  writeFileSync(file, "mine\n", { mode: 0o600 });
  const bare = credentialMachine({ SERVICE_HOME: file });
  expect(complaintsIn(await bare.svc("doctor", "--json"))).toContainEqual({
    check: "data directory",
    state: "failed",
    what: `${file} is not a folder`,
    mend: `Choose a folder with SERVICE_HOME, or run \`mv ${file} ${file}.old\` if the file is in the way.`,
  });
  const { code, err } = await bare.svc("index");
  expect([code, err]).toEqual([
    2,
    "svc: The data directory cannot be written.\n" +
      "Run `svc doctor` to find the cause, or set SERVICE_HOME to another directory.\n",
  ]);
});

needs(["mount"], () => {
  test("an almost full disk", async () => {
    const bare = credentialMachine();
    mountDisk(bare.data, 102_400);
    writeFileSync(join(bare.data, "big"), Buffer.alloc(97_700 * 1024), { mode: 0o600 });
    expect(complaintsIn(await bare.svc("doctor", "--json"))).toEqual([
      expect.objectContaining({
        check: "data directory",
        state: "warning",
        what: expect.stringMatching(/almost full$/),
      }),
    ]);
  });
});

needs(["mount"], () => {
  test("a read-only disk", async () => {
    const bare = credentialMachine({}, { "a.md": "# A\n" });
    const remount = mountDisk(bare.data, 65_536);
    await bare.json("index", bare.root);
    await bare.json("auth", "token", "create", "--name", "laptop", "--save");
    remount("ro");
    expect(complaintsIn(await bare.svc("doctor", "--json"))).toEqual([
      {
        check: "data directory",
        state: "failed",
        what: `${bare.data} is on a read-only disk`,
        mend: expect.stringContaining("remount,rw"),
      },
    ]);
  });
});

test("files and folders that other accounts can open", async () => {
  chmodSync(here.layout.catalog, 0o644);
  chmodSync(here.layout.directory, 0o755);
  const [found, ...others] = await here.complaints();
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    check: "permissions",
    state: "failed",
    mend: `Run \`chmod -R go-rwx ${here.data}\`.`,
  });
  expect(found?.what).toContain(`${here.layout.catalog} (0644)`);
  spawnSync("chmod", ["-R", "go-rwx", here.data]);
  expect(await here.complaints()).toEqual([]);
});

test("a credential folder that others can list is reported, and its mode is not changed", async () => {
  const folder = join(here.data, "credentials");
  chmodSync(folder, 0o755);
  const checks = (await here.complaints()).map(({ check, state }) => `${check} ${state}`);
  expect(checks).toEqual(["permissions failed", "credentials failed"]);
  expect(await here.complaints()).toHaveLength(2);
});

needs(["root"], () => {
  test("files of another account", async () => {
    spawnSync("chown", ["12345", here.layout.catalog]);
    const [found] = await here.complaints();
    expect(found).toMatchObject({
      check: "permissions",
      what: `${here.layout.catalog}: owned by another account`,
      mend: `Run \`sudo chown -R 0 ${here.data}\`.`,
    });
  });
});

test("invalid settings, which other commands refuse", async () => {
  const bare = credentialMachine();
  plant(bare.config, { "config.json": '{"namespcae":"x","color":"blue"}' });
  const found = complaintsIn(await bare.svc("doctor", "--json"));
  expect(found.map(({ check, what }) => `${check}: ${what}`)).toEqual([
    `settings: ${bare.config}/config.json: there is no setting "namespcae".`,
    `settings: ${bare.config}/config.json: color is "blue".`,
  ]);
  expect(found[0]?.mend).toContain("svc config unset namespcae");
  plant(bare.config, { "config.json": "{" });
  expect(complaintsIn(await bare.svc("doctor", "--json"))).toHaveLength(1);
});

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

test("files left by killed processes", async () => {
  const old = new Date(Date.now() - 3_600_000);
  const draft = join(here.config, "data.key.0123456789ab.tmp");
  plant(here.layout.segments, { "seg-dead.4711.tmp": "half", "seg-dead": "whole, not published" });
  plant(here.data, { "namespaces/ghost/catalog.db": "", "removed/0123/catalog.db": "" });
  writeFileSync(draft, "");
  for (const path of [draft, join(here.data, "namespaces/ghost")]) utimesSync(path, old, old);
  spawnSync("chmod", ["-R", "go-rwx", here.data]);
  const found = await here.complaints();
  expect(found.map(({ check, state, mend }) => [check, state, mend])).toEqual([
    ["leftovers", "warning", `Run \`rm ${draft}\`.`],
    [
      "leftovers",
      "warning",
      `Run \`svc index ${here.root} --namespace project\`, which removes them.`,
    ],
    ["leftovers", "warning", `Run \`rm -r ${join(here.data, "namespaces/ghost")}\`.`],
    ["leftovers", "warning", "Run `svc status`, which continues the deletion."],
  ]);
  await here.json("index", here.root, "--namespace", "project");
  await here.json("status");
  rmSync(draft);
  rmSync(join(here.data, "namespaces/ghost"), { recursive: true });
  expect(await here.complaints()).toEqual([]);
});

test("a heartbeat of a killed watcher", async () => {
  const note = '{"mode":"watched","pid":4711,"folders":3}\n';
  writeFileSync(here.layout.heartbeat, note, { mode: 0o600 });
  expect(await here.complaints()).toEqual([
    expect.objectContaining({
      check: "locks",
      state: "warning",
      what: `${here.layout.heartbeat} was left by process 4711, which was killed`,
    }),
  ]);
});

test("a watcher that holds its lock without a heartbeat, and one that cannot watch", async () => {
  const { leaderLock, heartbeat } = here.layout;
  const release = takeExclusiveLock(leaderLock, 1000);
  onTestFinished(() => release?.());
  expect(lockHolderPid(leaderLock)).toBe(process.platform === "linux" ? process.pid : undefined);
  writeFileSync(heartbeat, '{"mode":"watched","pid":4711,"folders":3}\n', { mode: 0o600 });
  const old = new Date(Date.now() - 600_000);
  utimesSync(heartbeat, old, old);
  expect(await here.complaints()).toEqual([
    expect.objectContaining({
      what: expect.stringMatching(/^process 4711 should watch .* gave no sign of life for 60\d s$/),
    }),
  ]);
  writeFileSync(
    heartbeat,
    '{"mode":"polled","pid":4711,"folders":0,"problem":"The limit is reached."}\n',
  );
  expect(await here.complaints()).toEqual([
    expect.objectContaining({
      state: "warning",
      what: expect.stringContaining("The limit is reached."),
    }),
  ]);
});

test("git is not installed", async () => {
  const bare = credentialMachine();
  const env = { PATH: bare.home, SERVICE_DATA_KEY_FILE: bare.keyFile };
  const found = complaintsIn(await runProgram(bare, ["doctor", "--json"], { env }));
  expect(found).toEqual([
    expect.objectContaining({
      check: "git",
      state: "warning",
      mend: "Install git 2.39.4 or later.",
    }),
  ]);
});

test.each([
  ["2.39.3", true],
  ["2.39.4", false],
  ["2.39.5 (Apple Git-154)", false],
  ["2.40.0.windows.1", false],
  ["2.9", true],
  ["1.8.3.1", true],
  ["3.0", false],
  ["", false],
])("git %s is old: %s", (version, expected) => {
  expect(isOld(version)).toBe(expected);
});
