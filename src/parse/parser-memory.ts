/** The part of `WebAssembly.Memory` that is used here. `buffer` is replaced when the memory grows. */
export interface ParserMemory {
  readonly buffer: ArrayBuffer;
}

let memory: ParserMemory | undefined;

/** Sets the memory of the parser. Called once per thread, when the parser is loaded. */
export function provideMemory(of: ParserMemory): void {
  memory = of;
}

/** Returns the memory that contains the parser's trees. Throws if no parser is loaded. */
export function parserMemory(): ArrayBuffer {
  if (memory === undefined) throw new Error("no parser is loaded");
  return memory.buffer;
}
