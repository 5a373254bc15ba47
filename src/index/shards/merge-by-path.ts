import type { FileFacts } from "../types.ts";

/** Merges streams of files in path order. A file that several of them have comes once. */
export async function* mergedByPath(
  streams: readonly AsyncIterator<FileFacts>[],
): AsyncGenerator<FileFacts> {
  try {
    const heads = await Promise.all(streams.map((stream) => stream.next()));
    for (;;) {
      let earliest: FileFacts | undefined;
      for (const { done, value } of heads) {
        if (done === true) continue;
        if (earliest === undefined || value.path < earliest.path) earliest = value;
      }
      if (earliest === undefined) return;
      yield earliest;
      const { path } = earliest;
      for (const [at, { done, value }] of heads.entries()) {
        const stream = streams[at];
        if (done === true || value.path !== path || stream === undefined) continue;
        // oxlint-disable-next-line no-await-in-loop -- mostly there is one
        heads[at] = await stream.next();
      }
    }
  } finally {
    // The caller may stop early.
    await Promise.all(streams.map(async (stream) => stream.return?.()));
  }
}
