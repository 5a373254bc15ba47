// The value of REPLICA_KEY: which state of the shared index a copy shows.

export interface ReplicaPosition {
  readonly epoch: string;
  readonly generation: number;
  /** Id of the commit that made the generation; undefined before the first one. */
  readonly commit: string | undefined;
}

export function markOf({ epoch, generation, commit }: ReplicaPosition): string {
  return commit === undefined ? `${epoch} ${generation}` : `${epoch} ${generation} ${commit}`;
}

/** Undefined for a value that is none. */
export function parseMark(mark: string | undefined): ReplicaPosition | undefined {
  const [epoch, generation, commit] = mark?.split(" ") ?? [];
  const number = Number(generation);
  return epoch === undefined || !Number.isSafeInteger(number)
    ? undefined
    : { epoch, generation: number, commit };
}
