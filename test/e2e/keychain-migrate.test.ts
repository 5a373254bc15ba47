import { expect, test } from "vitest";

import { exitCode, startProgram, type Place, type Run } from "../spec/program.ts";
import { keyFiles, accessOf, newPlace, saveToken, serve, useBus } from "./keychain-user.ts";
import { NO_BUS, startKeyring } from "./session-bus.ts";
import { needs } from "../helpers/needs.ts";

const REFUSED = /^CREDENTIAL_STORE: .*Unlock the keychain/;

/** Moves the data key, as a user within the session of this bus. */
async function migrate(place: Place, bus: string, to: "keychain" | "file"): Promise<Run> {
  const args = ["auth", "store", "migrate", "--to", to];
  const child = startProgram(place, args, { DBUS_SESSION_BUS_ADDRESS: bus });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.on("data", (text: string) => {
    stderr += text;
  });
  child.stdin.end();
  return { exit: await exitCode(child), stdout, stderr };
}

needs(["keyring"], () => {
  const keyringBus = useBus(() => startKeyring());

  test("a data key moves from its file into the keychain and back, without leftovers", async () => {
    const place = newPlace();
    const keyring = keyringBus();
    await saveToken(place, NO_BUS);
    const server = serve(place, keyring.address);
    expect(await accessOf(server)).toBe("ok");

    expect(await migrate(place, keyring.address, "keychain")).toMatchObject({ exit: 0 });
    expect([keyFiles(place), await keyring.entries()]).toEqual([[], 1]);
    // The server from before the migration opens the store with its new key; the saved token is unchanged.
    expect(await accessOf(server)).toBe("ok");
    expect(await accessOf(serve(place, keyring.address))).toBe("ok");
    expect(await accessOf(serve(place, NO_BUS))).toMatch(REFUSED);

    expect(await migrate(place, keyring.address, "file")).toMatchObject({ exit: 0 });
    expect([keyFiles(place).length, await keyring.entries()]).toEqual([1, 0]);
    expect(await accessOf(server)).toBe("ok");
    expect(await accessOf(serve(place, NO_BUS))).toBe("ok");
  });

  test("a store is neither migrated to nor from a locked keychain, and does not change", async () => {
    const [withFile, withKeychain] = [newPlace(), newPlace()];
    const keyring = keyringBus();
    await saveToken(withFile, NO_BUS);
    await saveToken(withKeychain, keyring.address);
    const before = await keyring.entries();
    await keyring.lock();
    try {
      const refused = [
        await migrate(withFile, keyring.address, "keychain"),
        await migrate(withKeychain, keyring.address, "file"),
      ];
      expect(refused.map(({ exit }) => exit)).toEqual([2, 2]);
      for (const { stderr } of refused) expect(stderr).toMatch(/Unlock (it|the keychain)/);
      expect(await keyring.entries()).toBe(before);
      expect([withFile, withKeychain].map((place) => keyFiles(place).length)).toEqual([1, 0]);
      expect(await accessOf(serve(withFile, NO_BUS))).toBe("ok");
    } finally {
      await keyring.unlock();
    }
    expect(await accessOf(serve(withKeychain, keyring.address))).toBe("ok");
  });
});
