import { request, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

/** Gets the bytes of a path. */
export async function rawAsk(
  { port }: { readonly port: number },
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<{
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}> {
  const sent = request({ host: "127.0.0.1", port, path, headers, agent: false });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once("response", resolve).once("error", reject).end();
  });
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: await buffer(response),
  };
}
