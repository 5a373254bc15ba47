/** As much of a `WebAssembly.Memory` as is of use here; its buffer is another one after it has grown. */
export interface ParserMemory {
  readonly buffer: ArrayBuffer;
}

let memory: ParserMemory | undefined;

/** Called with the memory of the parser, as soon as there is one: there is one a thread. */
export function provideMemory(of: ParserMemory): void {
  memory = of;
}

/** Where the parser keeps the trees. */
export function parserMemory(): ArrayBuffer {
  if (memory === undefined) throw new Error("there is no parser that a tree could come from");
  return memory.buffer;
}
