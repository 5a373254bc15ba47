import {
  chmodSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { openStore } from "../../src/credentials/sealed/open-store.ts";
import { removeAbandonedDrafts } from "../../src/credentials/private-files.ts";
import { createToken } from "../../src/credentials/access-tokens.ts";
import { tree } from "../helpers/tree.ts";
import { codeOf, foreignDirectory, type Home, tempHome } from "./home.ts";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** Opens and creates the store of this home; both outcomes must agree. */
async function call(home: Home): Promise<string> {
  const code = await codeOf(async () => (await openStore(home))?.close());
  expect(await codeOf(() => home.open())).toBe(code);
  return code;
}

async function existing(): Promise<Home> {
  const home = tempHome();
  const store = await home.open();
  await createToken(store, { name: "one" });
  await store.close();
  return home;
}

test("directories are 0700 and files 0600, the log files of SQLite too", async () => {
  const home = tempHome();
  const store = await home.open();
  await createToken(store, { name: "one" });
  expect([home.directory, home.keyDirectory].map(modeOf)).toEqual(["700", "700"]);
  const files = [home.database, `${home.database}-wal`, `${home.database}-shm`];
  expect([...files, home.key, home.anchor].map(modeOf)).toEqual(Array(5).fill("600"));
});

test.each(["database", "anchor", "key"] as const)(
  "a symbolic link in place of the %s is refused",
  async (what) => {
    const home = await existing();
    renameSync(home[what], join(home.root, "moved"));
    symlinkSync(join(home.root, "moved"), home[what]);
    expect(await call(home)).toBe("CREDENTIAL_STORE");
  },
);

test.each(["-wal", "-shm", "-journal"])(
  "a symbolic link in place of the database's %s file is refused",
  async (suffix) => {
    const home = await existing();
    symlinkSync(join(home.root, "elsewhere"), home.database + suffix);
    expect(await call(home)).toBe("CREDENTIAL_STORE");
  },
);

test.each(["directory", "keyDirectory"] as const)(
  "a symbolic link in place of the %s is refused",
  async (what) => {
    const home = await existing();
    renameSync(home[what], join(home.root, "moved"));
    symlinkSync(join(home.root, "moved"), home[what]);
    expect(await call(home)).toBe("CREDENTIAL_STORE");
  },
);

test.each(["database", "anchor", "key"] as const)(
  "a %s that other users can read is refused",
  async (what) => {
    const home = await existing();
    chmodSync(home[what], 0o644);
    expect(await call(home)).toBe("CREDENTIAL_STORE");
  },
);

test("a directory that others can write to is refused, one they can list is restricted", async () => {
  const home = await existing();
  chmodSync(home.directory, 0o770);
  expect(await call(home)).toBe("CREDENTIAL_STORE");
  chmodSync(home.directory, 0o755);
  expect(await call(home)).toBe("ok");
  expect(modeOf(home.directory)).toBe("700");
});

test("a directory in a world-writable one is refused, unless that is sticky", async () => {
  const home = await existing();
  chmodSync(home.root, 0o777);
  expect(await call(home)).toBe("CREDENTIAL_STORE");
  chmodSync(home.root, 0o1777);
  expect(await call(home)).toBe("ok");
});

test("a directory of another user is refused", async () => {
  const home = tempHome();
  const directory = foreignDirectory(home.root);
  expect(await codeOf(() => home.open({ directory }))).toBe("CREDENTIAL_STORE");
  expect(await codeOf(() => openStore({ ...home, directory }))).toBe("CREDENTIAL_STORE");
});

test("a directory that cannot be created is reported as the store's problem, with the system's reason", async () => {
  const home = tempHome();
  writeFileSync(join(home.root, "file"), "");
  const directory = join(home.root, "file", "store");
  expect(await codeOf(() => home.open({ directory }))).toBe("CREDENTIAL_STORE");
  mkdirSync(home.database, { recursive: true, mode: 0o700 });
  expect(await call(home)).toBe("CREDENTIAL_STORE");
});

test("drafts of a killed process are removed once they are a minute old", () => {
  const { path, dispose } = tree({
    "data.key": "key",
    "data.key.0123456789ab.tmp": "a draft of the key",
    "credentials.anchor.ba9876543210.tmp": "a draft of the anchor",
    "data.key.notes.tmp": "not ours",
  });
  onTestFinished(dispose);
  removeAbandonedDrafts(path, Date.now() + 30_000);
  expect(readdirSync(path)).toHaveLength(4);
  removeAbandonedDrafts(path, Date.now() + 90_000);
  expect(readdirSync(path).toSorted()).toEqual(["data.key", "data.key.notes.tmp"]);
});
