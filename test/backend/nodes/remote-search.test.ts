import { expect, test } from "vitest";

import type { SearchMessage, SearchReply } from "../../../src/backend/nodes/messages.ts";
import { RemoteSearch, SearchRefused } from "../../../src/backend/nodes/remote-search.ts";
import { WEIGHTS } from "../../helpers/expect-candidates.ts";

const FILES = {
  facts: (file: number) => ({ path: `${file}`, language: "", role: "code" as const, flags: 0 }),
  path: String,
  chunks: () => [],
};
const MAXIMA = { body: 1, names: 1, file: 1, similarity: 1 };
const BEGIN = {
  namespace: "n",
  version: { epoch: "e", at: 1 },
  shard: 0,
  shards: 2,
  terms: ["alpha"],
};
const STATISTICS = {
  chunks: 1,
  files: 1,
  lengths: { body: 1, names: 0 },
  vectorBytes: 0,
  documents: [],
};

function searching(reply: (message: SearchMessage) => SearchReply) {
  const sent: SearchMessage[] = [];
  const search = new RemoteSearch({
    id: "1",
    begin: BEGIN,
    files: FILES,
    send: async (message) => {
      sent.push(message);
      return reply(message);
    },
  });
  return { search, sent };
}

test("only the first message begins the search, and the last one ends it", async () => {
  const { search, sent } = searching(({ calls }) => ({
    results: calls.map(({ method }) => (method === "statistics" ? STATISTICS : MAXIMA)),
  }));
  expect(await search.statistics()).toEqual(STATISTICS);
  search.scoreFiles([1, 2]);
  expect(await search.maxima()).toEqual(MAXIMA);
  search.end();
  search.end();
  expect(sent).toEqual([
    { search: "1", begin: BEGIN, calls: [{ method: "statistics" }] },
    { search: "1", calls: [{ method: "scoreFiles", weights: [1, 2] }, { method: "maxima" }] },
    { search: "1", calls: [{ method: "end" }] },
  ]);
});

test("a search that never began, and results of no file, send nothing", async () => {
  const { search, sent } = searching(() => ({ results: [] }));
  expect(await search.results([], MAXIMA)).toEqual([]);
  search.end();
  expect(sent).toEqual([]);
});

test("a refusal and a reply of another form are errors", async () => {
  const refused = searching(() => ({ refusal: "busy" })).search;
  await expect(refused.statistics()).rejects.toThrow(SearchRefused);
  const other = searching(() => ({ results: [{ chunks: "many" }] })).search;
  await expect(other.statistics()).rejects.toThrow("Invalid type");
});

test("a failed last message is nobody's error", async () => {
  const { search, sent } = searching(({ calls: [call] }) => {
    if (call?.method === "end") throw new Error("the node has gone");
    return { results: [STATISTICS] };
  });
  await search.statistics();
  search.end();
  await new Promise(setImmediate);
  expect(sent).toHaveLength(2);
});

test("files are asked for until enough pass, or there are no more", async () => {
  const { search, sent } = searching(({ calls: [call] }) => {
    const limit = call?.method === "best" ? call.limit : 0;
    const found = Array.from({ length: Math.min(limit, 100) }, (_, file) => file);
    return {
      results: [
        {
          files: Buffer.from(Uint32Array.from(found).buffer).toString("base64"),
          scores: Buffer.from(Float64Array.from(found, (file) => 1 / (file + 1)).buffer).toString(
            "base64",
          ),
        },
      ],
    };
  });
  const best = async (filter?: (file: { path: string }) => boolean): Promise<readonly string[]> => {
    const round = { limit: 3, maxima: MAXIMA, blend: WEIGHTS.blend };
    return (await search.best({ ...round, filter })).map(({ path }) => path);
  };
  const limits = () =>
    sent.splice(0).flatMap(({ calls: [call] }) => (call?.method === "best" ? [call.limit] : []));
  expect(await best()).toEqual(["0", "1", "2"]);
  expect(limits()).toEqual([3]);
  expect(await best(({ path }) => Number(path) % 5 === 0)).toEqual(["0", "5", "10"]);
  expect(limits()).toEqual([3, 24]);
  expect(await best(({ path }) => path === "99")).toEqual(["99"]);
  expect(limits()).toEqual([3, 24, 192]);
});
