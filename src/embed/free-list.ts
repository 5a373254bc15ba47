interface FreeBlock {
  readonly at: number;
  readonly bytes: number;
}

/** The free blocks of a memory. Allocation is first fit; adjacent free blocks are joined. */
export class FreeList {
  /** Sorted by address. No two blocks are adjacent. */
  #blocks: FreeBlock[] = [];

  /** Allocates `bytes` bytes and returns their address, or undefined if no free block is large enough. */
  allocate(bytes: number): number | undefined {
    const index = this.#blocks.findIndex((block) => block.bytes >= bytes);
    const block = this.#blocks[index];
    if (block === undefined) return undefined;
    const rest = { at: block.at + bytes, bytes: block.bytes - bytes };
    this.#blocks.splice(index, 1, ...(rest.bytes > 0 ? [rest] : []));
    return block.at;
  }

  /** Returns the number of free bytes directly before `end`, the end of the memory. */
  bytesBefore(end: number): number {
    const last = this.#blocks.at(-1);
    return last !== undefined && last.at + last.bytes === end ? last.bytes : 0;
  }

  /** Marks a block as free. The block must not be free already. */
  free(at: number, bytes: number): void {
    if (bytes === 0) return;
    const end = at + bytes;
    const before = this.#blocks.filter((block) => block.at + block.bytes < at);
    const touching = this.#blocks.filter(
      (block) => block.at + block.bytes === at || block.at === end,
    );
    const after = this.#blocks.filter((block) => block.at > end);
    const joined = {
      at: Math.min(at, ...touching.map((block) => block.at)),
      bytes: touching.reduce((sum, block) => sum + block.bytes, bytes),
    };
    this.#blocks = [...before, joined, ...after];
  }
}
