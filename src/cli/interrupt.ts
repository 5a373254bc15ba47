/**
 * Returns a signal that the first SIGINT or SIGTERM aborts, so that a command can finish its write and close its
 * files. The second one has the system's default effect: it ends the process.
 */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  const interrupt = (): void => {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
    controller.abort();
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  return controller.signal;
}
