// Caches that a long-running program drops when it is idle, because it can fill them again.

/** Something with memory to give back. */
export interface Forgetful {
  /** Drops what can be computed or read again. It may be needed in the next moment. */
  readonly forget: () => void;
}

/** Not held: what nobody else uses any more is no reason to keep it. */
const registered = new Set<WeakRef<Forgetful>>();

/** Has `forget` called whenever this thread's program begins to rest, as long as somebody uses the object. */
export function forgetAtRest(object: Forgetful): void {
  registered.add(new WeakRef(object));
}

/** Calls `forget` of all registered objects of this thread. */
export function forgetAll(): void {
  for (const reference of registered) {
    const object = reference.deref();
    if (object === undefined) registered.delete(reference);
    else object.forget();
  }
}
