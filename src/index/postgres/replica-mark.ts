// The value of REPLICA_KEY: which state of the shared index a copy shows.

interface ReplicaPosition {
  readonly epoch: string;
  readonly generation: number;
}

export function markOf({ epoch, generation }: ReplicaPosition): string {
  return `${epoch} ${generation}`;
}

/** Undefined for a value that is none. */
export function parseMark(mark: string | undefined): ReplicaPosition | undefined {
  const [epoch, generation] = mark?.split(" ") ?? [];
  const number = Number(generation);
  return epoch === undefined || !Number.isSafeInteger(number)
    ? undefined
    : { epoch, generation: number };
}
