// Hosts with separate networks on this machine: network namespaces, joined by a switch. Needs root and `ip`. Nothing
// outside the namespaces changes, and they end with the process of the test.
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";

/** A host of the network. */
export interface NetworkHost {
  readonly address: string;
  /** Returns the command that runs another command there, as root or as another account. */
  readonly command: (words: readonly string[], account?: Account) => Command;
  /** Unplugs its cable: packets in both directions are lost, without an error. */
  readonly cut: () => void;
  readonly plug: () => void;
}

export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** A program and its arguments. */
type Command = readonly [program: string, ...words: string[]];

export interface Network {
  readonly hosts: readonly NetworkHost[];
  /** Every address in this form, for a certificate. */
  readonly names: string;
  /** Ends the network. Programs on its hosts must have ended. */
  readonly remove: () => Promise<void>;
}

/** Addresses for documentation (RFC 5737): svc does not count them as its own machine. */
const addressOf = (at: number): string => `192.0.2.${at + 1}`;

/** Starts a network with this many hosts. */
export async function startNetwork(size: number): Promise<Network> {
  const center = await newNamespace();
  const places = await Promise.all(Array.from({ length: size }, newNamespace));
  const inCenter = (...lines: readonly string[]): void => ip(center, lines);
  inCenter("link add switch type bridge", "link set switch up");
  const hosts = places.map((place, at): NetworkHost => {
    const port = `port${at}`;
    const address = addressOf(at);
    inCenter(
      `link add ${port} type veth peer name cable netns ${place.pid}`,
      `link set ${port} master switch up`,
    );
    ip(place, ["link set lo up", `addr add ${address}/24 dev cable`, "link set cable up"]);
    return {
      address,
      command: (words, account) => commandIn(place, words, account),
      cut: () => inCenter(`link set ${port} down`),
      plug: () => inCenter(`link set ${port} up`),
    };
  });
  return {
    hosts,
    names: hosts.map(({ address }) => `IP:${address}`).join(","),
    remove: async () => {
      await Promise.all([center, ...places].map((place) => place.end()));
    },
  };
}

interface Namespace {
  readonly pid: number;
  readonly end: () => Promise<void>;
}

/** A process that only holds a namespace, until the pipe from this process closes. */
async function newNamespace(): Promise<Namespace> {
  const words = ["--net", "sh", "-c", "echo ready; exec cat"];
  const child = spawn("unshare", words, { stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { pid: pidOf(child), end: () => endOf(child) };
}

function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error("unshare did not start");
  return pid;
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, "exit");
  child.stdin?.end();
  await ended;
}

/** `nsenter` becomes the program: signals reach it. */
function commandIn({ pid }: Namespace, words: readonly string[], account?: Account): Command {
  const as = account === undefined ? [] : ["-S", String(account.uid), "-G", String(account.gid)];
  return ["nsenter", `--net=/proc/${pid}/ns/net`, ...as, "--", ...words];
}

function ip(place: Namespace, lines: readonly string[]): void {
  const [program, ...words] = commandIn(place, ["ip", "-batch", "-"]);
  const input = lines.map((line) => `${line}\n`).join("");
  execFileSync(program, words, { input, stdio: ["pipe", "ignore", "pipe"] });
}
