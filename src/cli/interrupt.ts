/**
 * Aborted by the first SIGINT or SIGTERM, so that a command can finish its write and close its
 * files. The second one finds no listener and ends the process, as the system has it by default.
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
