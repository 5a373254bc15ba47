/** A queue whose first value is taken in constant time. */
export class Fifo<Value> {
  #values: Value[] = [];
  /** Values before this one have been taken. */
  #first = 0;

  get size(): number {
    return this.#values.length - this.#first;
  }

  add(value: Value): void {
    this.#values.push(value);
  }

  /** Undefined if the queue is empty. */
  take(): Value | undefined {
    if (this.size === 0) return undefined;
    const value = this.#values[this.#first];
    this.#first += 1;
    // Rarely, so that copying costs less than taking values.
    if (this.#first * 2 > this.#values.length) {
      this.#values = this.#values.slice(this.#first);
      this.#first = 0;
    }
    return value;
  }
}
