import type { AdmissionQueue } from "./admission-queue.ts";
import { decodeBody, type BodyReader } from "./body.ts";
import type { HttpExchange } from "./exchange.ts";

interface Services {
  readonly queue: AdmissionQueue;
  readonly bodies: BodyReader;
}

/**
 * Calls `work` with the body as text and returns its result. The call gets its place in the queue before its body
 * is read, and the body is parsed when its turn comes, so that a refused call costs little. Throws OVERLOADED,
 * MESSAGE_TOO_LARGE, and PARSE_ERROR when the body is not UTF-8; rejects with the signal's reason when the client
 * goes.
 *
 * @param owner Id of the credential that the call came with.
 */
export async function runInTurn<T>(
  exchange: HttpExchange,
  {
    owner,
    services,
    work,
  }: { owner: string; services: Services; work: (text: string) => Promise<T> },
): Promise<T> {
  const place = services.queue.enter(owner, exchange.clientGone);
  try {
    return await services.bodies.use(exchange, place.signal, async (bytes) => {
      await place.waitForTurn();
      return work(decodeBody(bytes));
    });
  } finally {
    place.leave();
  }
}
