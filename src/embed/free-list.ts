interface FreeBlock {
  readonly at: number;
  readonly bytes: number;
}

/** Which parts of a memory are free: the first that is large enough is taken, neighbours are joined. */
export class FreeList {
  /** In the order of their addresses; no two of them touch. */
  #blocks: FreeBlock[] = [];

  /** The address of so many bytes, which are no longer free; undefined where nothing is large enough. */
  take(bytes: number): number | undefined {
    const index = this.#blocks.findIndex((room) => room.bytes >= bytes);
    const room = this.#blocks[index];
    if (room === undefined) return undefined;
    const rest = { at: room.at + bytes, bytes: room.bytes - bytes };
    this.#blocks.splice(index, 1, ...(rest.bytes > 0 ? [rest] : []));
    return room.at;
  }

  /** How many free bytes lie right before `end`, behind which nothing is free. */
  bytesBefore(end: number): number {
    const last = this.#blocks.at(-1);
    return last !== undefined && last.at + last.bytes === end ? last.bytes : 0;
  }

  /** What is given must not be free already. */
  free(at: number, bytes: number): void {
    if (bytes === 0) return;
    const end = at + bytes;
    const before = this.#blocks.filter((room) => room.at + room.bytes < at);
    const touching = this.#blocks.filter((room) => room.at + room.bytes === at || room.at === end);
    const after = this.#blocks.filter((room) => room.at > end);
    const joined = {
      at: Math.min(at, ...touching.map((room) => room.at)),
      bytes: touching.reduce((sum, room) => sum + room.bytes, bytes),
    };
    this.#blocks = [...before, joined, ...after];
  }
}
