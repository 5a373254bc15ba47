import { shardOf } from "../shards/shard-of.ts";
import type { SegmentMergeInput } from "./segment/merge.ts";

/** The live files of one shard in some segments: those of other shards are marked as deleted. */
export interface ShardInputs<Input extends SegmentMergeInput> {
  readonly shard: number;
  readonly parts: readonly Input[];
}

/** Divides the live files of segments by shard. Shards without files are left out. */
export function dividedByShard<Input extends SegmentMergeInput>(
  inputs: readonly Input[],
  shards: number,
): readonly ShardInputs<Input>[] {
  const shardsOfFiles = inputs.map(({ reader, tombstones }) =>
    Int32Array.from({ length: reader.files }, (_, file) =>
      tombstones[file] === 1 ? -1 : shardOf(reader.path(file), shards),
    ),
  );
  return Array.from({ length: shards }, (_, shard) => ({
    shard,
    parts: inputs.map((input, at) => ({
      ...input,
      tombstones: Uint8Array.from(shardsOfFiles[at] ?? [], (of) => (of === shard ? 0 : 1)),
    })),
  })).filter(({ parts }) => parts.some(({ tombstones }) => tombstones.includes(0)));
}
