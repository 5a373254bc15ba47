// Nodes of a team in one process: their messages are JSON, as between machines.
import { NodeShards, type KnownNodes } from "../../src/backend/nodes/node-shards.ts";
import type { SearchMessage, SearchReply } from "../../src/backend/nodes/messages.ts";
import { SearchHost } from "../../src/backend/nodes/search-host.ts";
import type { IndexBackend } from "../../src/index/port.ts";
import { shardedBackend } from "../../src/index/shards/backend.ts";
import type { ShardableBackend } from "../../src/index/shards/port.ts";
import { authorized } from "./authorized.ts";
import { recordingLogger, type LogEntry } from "./rpc.ts";

type Send = KnownNodes["send"];

export interface NodesInProcess {
  /** The index as the first node reads it. */
  readonly asked: IndexBackend;
  /** Messages that it has sent, with the node that got each. */
  readonly sent: readonly { readonly address: string; readonly message: SearchMessage }[];
  readonly log: readonly LogEntry[];
}

const OWN = "http://node-1";

/** The test queries the first backend, which queries the others, at http://node-2 and so on. */
export function nodesInProcess(
  [own, ...others]: readonly [ShardableBackend, ...ShardableBackend[]],
  around: (send: Send) => Send = (send) => send,
): NodesInProcess {
  const hosts = new Map(
    others.map((backend, at) => [`http://node-${at + 2}`, new SearchHost(backend)]),
  );
  const sent: { address: string; message: SearchMessage }[] = [];
  const send = around(async (address, message): Promise<SearchReply> => {
    const host = hosts.get(address);
    if (host === undefined) throw new Error(`nobody is at ${address}`);
    const reply = await host.answer(copyOf(message), async (name) => authorized(name));
    return copyOf(reply);
  });
  const nodes: KnownNodes = {
    own: OWN,
    addresses: () => [OWN, ...hosts.keys()],
    send: (address, message) => {
      sent.push({ address, message });
      return send(address, message);
    },
  };
  const { logger, entries } = recordingLogger();
  const source = new NodeShards(own, { nodes, logger });
  return { asked: shardedBackend(own, { source }), sent, log: entries };
}

/** The message as it arrives. */
function copyOf<T>(value: T): T {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion, unicorn/prefer-structured-clone -- as it is sent
  return JSON.parse(JSON.stringify(value)) as T;
}
