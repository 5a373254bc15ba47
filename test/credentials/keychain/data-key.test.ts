import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { openStore, type StoreOptions } from "../../../src/credentials/sealed/open-store.ts";
import { createToken } from "../../../src/credentials/access-tokens.ts";
import { codeOf, fixturePath, type Home, memoryKeychain, runFixture, tempHome } from "../home.ts";
import { promise } from "../../trust/promise.ts";

// An explicit address that leads nowhere keeps the desktop's environment from leading to a running keychain.
const NO_DBUS = { PATH: process.env["PATH"], DBUS_SESSION_BUS_ADDRESS: "unix:path=/nonexistent" };

async function call(home: Home, options: Partial<StoreOptions> = {}): Promise<string> {
  return codeOf(async () => (await openStore({ ...home, ...options }))?.close());
}

promise(
  [41],
  "without D-Bus, svc uses the key file, with a notice at creation and none later",
  async () => {
    const home = tempHome();
    const run = async (): Promise<unknown> =>
      JSON.parse(await runFixture("open-with-keychain.ts", [home.root], NO_DBUS));
    expect(await run()).toEqual({
      keySource: "file",
      notice: expect.stringMatching(
        /^The system's keychain is not used, so the key .* in a file .* \(Keychain: .+\.\)$/,
      ),
    });
    expect(statSync(home.key).mode & 0o777).toBe(0o600);
    expect(await run()).toEqual({
      keySource: "file",
    });
    return 2;
  },
);

promise([41], "svc stops waiting for a keychain that hangs after its limit", async () => {
  const home = tempHome();
  const bus = join(home.root, "mute-bus");
  const server = createServer().listen(bus);
  await once(server, "listening");
  const env = { ...NO_DBUS, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` };
  const child = spawn(process.execPath, [fixturePath("open-with-keychain.ts"), home.root], { env });
  onTestFinished(() => {
    child.kill("SIGKILL");
    server.close();
  });
  const [output] = await once(child.stdout, "data");
  expect(String(output)).toContain("it did not answer within 3000 ms");
  expect(existsSync(home.key)).toBe(true);
  return 1;
});

test("the keychain is preferred, and no key file is created then", async () => {
  const home = tempHome();
  const keychain = memoryKeychain();
  const store = await home.open({ keychain });
  expect([store.keySource, store.notice, existsSync(home.key)]).toEqual([
    "keychain",
    undefined,
    false,
  ]);
  await createToken(store, { name: "one" });
  await store.close();
  expect(await call(home, { keychain })).toBe("ok");
});

test.each(["forgets", "fails"] as const)(
  "a keychain that %s at creation is replaced by the key file, with a notice",
  async (behaviour) => {
    const store = await tempHome().open({ keychain: memoryKeychain(behaviour) });
    expect(store.keySource).toBe("file");
    expect(store.notice).toContain(behaviour === "fails" ? "it is locked" : "did not keep the key");
  },
);

promise(
  [41],
  "a store with its key in the keychain is not opened without the keychain, and svc creates no other key",
  async () => {
    const home = tempHome();
    await (await home.open({ keychain: memoryKeychain() })).close();
    const options = [
      {},
      { keychain: memoryKeychain("fails") },
      { keychain: memoryKeychain() },
      { passphrase: "another choice" },
      { keyFile: join(home.root, "my.key") },
    ];
    for (const option of options) {
      expect(await call(home, option)).toBe("CREDENTIAL_STORE");
      expect(await codeOf(() => home.open(option))).toBe("CREDENTIAL_STORE");
    }
    expect([existsSync(home.key), existsSync(join(home.root, "my.key"))]).toEqual([false, false]);
    return 1;
  },
);

test("a store with a key file keeps it when a keychain or passphrase appears later", async () => {
  const home = tempHome();
  await (await home.open()).close();
  const keychain = memoryKeychain();
  const store = await home.open({ keychain, passphrase: "a later choice" });
  expect([store.keySource, keychain.secrets.size]).toEqual(["file", 0]);
});

test("a key file named explicitly is created or used as it is, and the keychain is not used", async () => {
  const home = tempHome();
  const keychain = memoryKeychain();
  const keyFile = join(home.root, "my.key");
  writeFileSync(keyFile, Buffer.alloc(32, 5).toString("base64"), { mode: 0o400 });
  const store = await home.open({ keyFile, keychain });
  expect([store.keySource, store.notice, keychain.secrets.size]).toEqual(["file", undefined, 0]);
  expect(existsSync(home.key)).toBe(false);
  await store.close();
  expect(await call(home, { keyFile })).toBe("ok");

  const other = tempHome();
  await other.open({ keyFile: join(other.root, "new.key") });
  expect(readFileSync(join(other.root, "new.key"), "utf8")).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
});

test("a key file named at creation is found again without naming it", async () => {
  const home = tempHome();
  const keyFile = join(home.root, "my.key");
  await (await home.open({ keyFile })).close();
  expect(await call(home)).toBe("ok");
  const moved = join(home.root, "moved.key");
  renameSync(keyFile, moved);
  expect([await call(home), await call(home, { keyFile: moved })]).toEqual([
    "CREDENTIAL_STORE",
    "ok",
  ]);
});

test("a key file named later must contain the key of the store, and none is created there", async () => {
  const home = tempHome();
  await (await home.open()).close();
  const keyFile = join(home.root, "later.key");
  const problem = {
    code: "CREDENTIAL_STORE",
    hint: expect.stringContaining(
      `SERVICE_DATA_KEY_FILE names ${keyFile}; the key of this store was put into ${home.key}.`,
    ),
  };
  await expect(home.open({ keyFile })).rejects.toMatchObject(problem);
  expect(existsSync(keyFile)).toBe(false);
  writeFileSync(keyFile, Buffer.alloc(32, 5).toString("base64"), { mode: 0o600 });
  await expect(home.open({ keyFile })).rejects.toMatchObject(problem);
  copyFileSync(home.key, keyFile);
  rmSync(home.key);
  expect(await call(home, { keyFile })).toBe("ok");
});

test.each([
  ["none", () => undefined],
  ["one that is locked", () => memoryKeychain("fails")],
  ["one that forgets", () => memoryKeychain("forgets")],
])("a store that requires the keychain is not created with %s", async (_what, keychain) => {
  const home = tempHome();
  await expect(home.open({ keychain: keychain(), requireKeychain: true })).rejects.toMatchObject({
    code: "CREDENTIAL_STORE",
    hint: expect.stringContaining("Unlock it"),
  });
  expect([existsSync(home.key), existsSync(home.database)]).toEqual([false, false]);
  const store = await home.open({ keychain: memoryKeychain(), requireKeychain: true });
  expect(store.keySource).toBe("keychain");
});

test("requiring the keychain contradicts another place, chosen now or before", async () => {
  const home = tempHome();
  const strict = { keychain: memoryKeychain(), requireKeychain: true };
  for (const choice of [{ passphrase: "open sesame" }, { keyFile: join(home.root, "my.key") }]) {
    expect(await codeOf(() => home.open({ ...strict, ...choice }))).toBe("USAGE");
  }
  await (await home.open()).close();
  await expect(home.open(strict)).rejects.toMatchObject({
    hint: expect.stringContaining("svc auth store migrate"),
  });
  expect(await call(home, strict)).toBe("ok");
});

test("a wrong, damaged or lost key file is refused", async () => {
  const home = tempHome();
  await (await home.open()).close();
  const good = readFileSync(home.key, "utf8");
  for (const bad of [Buffer.alloc(32).toString("base64"), "short", ""]) {
    writeFileSync(home.key, bad);
    expect(await call(home)).toBe("CREDENTIAL_STORE");
  }
  rmSync(home.key);
  expect(await call(home)).toBe("CREDENTIAL_STORE");
  expect(await codeOf(() => home.open())).toBe("CREDENTIAL_STORE");
  expect(existsSync(home.key)).toBe(false);
  writeFileSync(home.key, good, { mode: 0o600 });
  expect(await call(home)).toBe("ok");
});

test("a passphrase opens its store in any Unicode normal form; a wrong or missing one does not", async () => {
  const home = tempHome();
  const store = await home.open({ passphrase: "café" });
  expect([store.keySource, existsSync(home.key)]).toEqual(["passphrase", false]);
  await store.close();
  expect(await call(home, { passphrase: "cafe\u0301" })).toBe("ok");
  expect(await call(home, { passphrase: "cafe" })).toBe("CREDENTIAL_STORE");
  expect(await call(home, { passphrase: "" })).toBe("CREDENTIAL_STORE");
  expect(await call(home)).toBe("CREDENTIAL_STORE");
});
