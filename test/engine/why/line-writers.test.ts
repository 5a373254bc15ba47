import { expect, test } from "vitest";

import { LineWriters } from "../../../src/engine/why/line-writers.ts";
import { whyPlace } from "../../../src/engine/why/why-target.ts";
import { openHistory } from "../../../src/sources/open-history.ts";
import { withGit } from "../../../src/sources/run-git.ts";
import { committedFile } from "../../../src/sources/uncommitted-lines.ts";
import { linesOf, signal, whyRepository } from "./why-repository.ts";

const limits = () => ({ signal, timeoutMs: 10_000, maxBytes: 1 << 22 });

test("several formatting commits, one after the other, lead to the writer and its hunk", async () => {
  const { path, commit, index } = whyRepository();
  const first = commit({ "a.js": linesOf("one();", "const answer = computeAll('a', b);") });
  const quotes = commit({ "a.js": linesOf("one();", 'const answer = computeAll("a", b);') });
  const wrap = commit({
    "a.js": linesOf("one();", "const answer = computeAll(", '  "a",', "  b,", ");"),
  });
  await index.run();
  const place = await whyPlace(await index.queryContext(), "a.js:2-5", "place");
  if (place === undefined) throw new Error("no place");
  const source = { root: path };
  const history = await openHistory(source, signal);
  await withGit(history.repository, async (git) => {
    const file = await committedFile(git, { head: history.head, path: "a.js" }, limits());
    if (file === undefined) throw new Error("no file");
    const writers = new LineWriters({ git, source, history, limits }, place);
    const found = await writers.writersOf(file, [2, 3, 4, 5], []);
    expect(found.get(2)?.id).toBe(first);
    expect([...writers.formatting].toSorted()).toEqual([quotes, wrap].toSorted());
    expect(writers.isWhole).toBe(true);
    const hunks = await writers.hunksOf([...found.values()]);
    expect(hunks.get(first)).toMatchObject({ path: "a.js" });
  });
});
