import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { authenticate } from "../../../src/credentials/authenticate.ts";
import { migrateStore } from "../../../src/credentials/sealed/migrate.ts";
import { openStore } from "../../../src/credentials/sealed/open-store.ts";
import type { SealedStore } from "../../../src/credentials/sealed/sealed-store.ts";
import { StoreHandle } from "../../../src/credentials/sealed/store-handle.ts";
import { createToken } from "../../../src/credentials/access-tokens.ts";
import { type Home, tempHome } from "../home.ts";

/** Returns a handle, and every store that it has opened. */
function keeperOf(home: Home): { keeper: StoreHandle; opened: (SealedStore | undefined)[] } {
  const opened: (SealedStore | undefined)[] = [];
  const keeper = new StoreHandle(async () => {
    const store = await openStore(home);
    opened.push(store);
    return store;
  });
  onTestFinished(() => keeper.close());
  return { keeper, opened };
}

test("a store is opened once for all callers, and looked for again while there is none", async () => {
  const home = tempHome();
  const { keeper, opened } = keeperOf(home);
  expect(await keeper.get()).toBeUndefined();
  await (await home.open()).close();
  const [one, other] = await Promise.all([keeper.get(), keeper.get()]);
  expect(one).toBeDefined();
  expect(other).toBe(one);
  expect(opened).toHaveLength(2);
});

test("concurrent calls, before and after a migration, share one reopening and all pass", async () => {
  const home = tempHome();
  const store = await home.open();
  const { secret } = await createToken(store, { name: "laptop" });
  await store.close();
  const { keeper, opened } = keeperOf(home);
  const call = (): Promise<string> =>
    keeper.use(async (present) => (await authenticate(present, secret)).name);
  const round = (): Promise<string[]> => Promise.all(Array.from({ length: 20 }, call));
  const all = Array.from({ length: 20 }, () => "laptop");

  expect(await round()).toEqual(all);
  for (const path of ["first.key", "second.key"]) {
    // oxlint-disable-next-line no-await-in-loop -- one migration after the other
    await migrateStore(home, { kind: "file", path: join(home.root, path) });
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect(await round()).toEqual(all);
  }
  // One opening for each of the three keys.
  expect(opened).toHaveLength(3);
});

test("a call that fails for another reason fails at once and keeps the store open", async () => {
  const home = tempHome();
  await (await home.open()).close();
  const { keeper, opened } = keeperOf(home);
  const fail = keeper.use(() => {
    throw new Error("no");
  });
  await expect(fail).rejects.toThrow("no");
  await keeper.get();
  expect(opened).toHaveLength(1);
});
