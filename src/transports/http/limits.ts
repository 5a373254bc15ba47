const KIB = 1024;
const MIB = 1024 * KIB;

/** What one server grants its clients. Node's own defaults leave a slow client alone for minutes. */
export interface HttpLimits {
  /** From the opening of a connection, or the first byte of a further request, to the end of its headers. */
  readonly headersMs: number;
  /** From there to the last byte of the body. */
  readonly requestMs: number;
  /** How often the two are looked at, and idle connections counted. */
  readonly sweepMs: number;
  readonly headerBytes: number;
  readonly bodyBytes: number;
  /** Of the bodies of all calls that have not ended. */
  readonly allBodiesBytes: number;
  /** Connections from one address that wait for a request. */
  readonly idleConnections: number;
  /** How long a connection may be idle before it counts: longer than a refused client is told to wait. */
  readonly idleGraceMs: number;
  readonly connections: number;
  /** Requests that a connection may send ahead of their answers; the next one ends it. */
  readonly pipelined: number;
  /** Calls at work at the same moment. */
  readonly inFlight: number;
  /** Of those, the calls of one credential: the rest is for others, whatever that one's calls wait for. */
  readonly inFlightOfOwner: number;
  /** Calls that wait to be one of them, their bodies still on the way included. */
  readonly queued: number;
  /** How long a call waits, once its body has come, before it is refused (the setting queue_timeout_seconds). */
  readonly queueMs: number;
  /** From the first byte of a call to its answer (interface, section 8). */
  readonly callMs: number;
  /** How long an idle connection is kept: longer than common proxies do, which must be the ones to close it. */
  readonly keepAliveMs: number;
  /** How long nothing may move on a connection. */
  readonly stalledMs: number;
  /** How long a client may leave answers unread, beyond what the system holds for it. */
  readonly unreadMs: number;
  /** How long, and how much, a client that was refused while it still sends may go on sending. */
  readonly lingerMs: number;
  readonly lingerBytes: number;
  /** Event streams on which clients listen, in all and with one credential. */
  readonly streams: number;
  readonly streamsOfPrincipal: number;
  /** How often such a stream says that it is open; a client that has not read the last one by then is cut off. */
  readonly commentMs: number;
  /** What may lie unread on it when there is something more to say. */
  readonly unreadBytes: number;
  /** How long calls may go on once the server is told to end. */
  readonly drainMs: number;
}

export const HTTP_LIMITS: HttpLimits = {
  headersMs: 10_000,
  requestMs: 12_000,
  sweepMs: 1000,
  headerBytes: 16 * KIB,
  bodyBytes: 4 * MIB,
  allBodiesBytes: 64 * MIB,
  idleConnections: 100,
  idleGraceMs: 5000,
  connections: 8192,
  pipelined: 8,
  inFlight: 64,
  inFlightOfOwner: 48,
  queued: 2048,
  queueMs: 10_000,
  callMs: 30_000,
  keepAliveMs: 75_000,
  stalledMs: 60_000,
  unreadMs: 10_000,
  lingerMs: 500,
  lingerBytes: MIB,
  streams: 2048,
  streamsOfPrincipal: 256,
  commentMs: 15_000,
  unreadBytes: 64 * KIB,
  drainMs: 1000,
};
