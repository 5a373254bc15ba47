import { randomBytes } from "node:crypto";

/** The shard that a segment was written for. */
export interface SegmentShard {
  /** From 0. */
  readonly shard: number;
  /** Number of shards at that time. */
  readonly of: number;
}

/** Returns a new name. That of a segment of an index with several shards tells its shard: "lq3k-0a1b2c3d-1of4". */
export function newSegmentName({ shard, of }: SegmentShard): string {
  const name = `${Date.now().toString(36)}-${randomBytes(4).toString("hex")}`;
  return of === 1 ? name : `${name}-${shard}of${of}`;
}

/** Returns the shard in the name of a segment. */
export function segmentShard(name: string): SegmentShard {
  const [, shard = "0", of = "1"] = /-(\d+)of(\d+)$/.exec(name) ?? [];
  return { shard: Number(shard), of: Number(of) };
}
