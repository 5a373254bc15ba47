import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { offerOf } from "../../helpers/index-offer.ts";
import type { Project } from "../../helpers/project.ts";
import { plant, tree } from "../../helpers/tree.ts";
import { engineOnDisk, indexed, moduleOf, modules } from "../fixtures/worktrees.ts";

const COUNT = 150;

/** A laptop with the files of a server, whose session may query the server. */
async function machines() {
  const place = tree();
  onTestFinished(place.dispose);
  const [own, other] = [join(place.path, "own"), join(place.path, "other")];
  for (const folder of [own, other]) plant(folder, modules(COUNT));
  const server = engineOnDisk();
  await indexed(server, own, "project");
  const asked: string[] = [];
  const session = (dataDirectory?: string): Project =>
    engineOnDisk({
      ...(dataDirectory === undefined ? {} : { dataDirectory }),
      workspace: () => own,
      openOffer: async (root) => {
        asked.push(root);
        return offerOf(server.engine, "project");
      },
    });
  return { own, other, session, asked };
}

test("the server is asked for the first index of the workspace, and for no other and no small change", async () => {
  const { own, other, session, asked } = await machines();
  const laptop = session();
  await indexed(laptop, other, "other");
  expect(asked).toEqual([]);
  const { report } = await indexed(laptop, own, "laptop");
  expect(report).toMatchObject({ isStarted: true, unchanged: COUNT });
  expect(asked).toEqual([own]);
  for (const [count, times] of [
    [40, 1],
    [COUNT, 2],
  ] as const) {
    for (let at = 0; at < count; at += 1) plant(own, { [`src/m${at}.ts`]: moduleOf(at, "longer") });
    // oxlint-disable-next-line no-await-in-loop -- one session after the other
    await indexed(session(laptop.data), own, "laptop");
    expect(asked).toHaveLength(times);
  }
}, 60_000);
