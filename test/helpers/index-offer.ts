// The index of one engine as an offer to another, as a server offers it, but without the network.
import type { ExportedIndex } from "../../src/base/exported-index.ts";
import { MAX_PART_BYTES } from "../../src/base/exported-index.ts";
import type { Engine } from "../../src/engine/api/engine.ts";
import type { IndexOffer } from "../../src/index/index-export.ts";
import { LOCAL } from "./rpc.ts";

interface OfferChanges {
  /** Changes the list. */
  readonly list?: (index: ExportedIndex) => ExportedIndex;
  /** Changes each part; called with its number from 0. */
  readonly part?: (bytes: Uint8Array, call: number) => Uint8Array | undefined;
  /** Bytes per part; 4 MiB by default. */
  readonly partBytes?: number;
}

export interface RecordedOffer extends IndexOffer {
  /** Versions that the other machine reported as known. */
  readonly known: (string | undefined)[];
  /** Offsets of the parts that it requested. */
  readonly offsets: number[];
}

export function offerOf(
  engine: Pick<Engine, "exports">,
  namespace: string,
  { list = (index) => index, part = (bytes) => bytes, partBytes }: OfferChanges = {},
): RecordedOffer {
  const request = { principal: LOCAL, namespace };
  const known: (string | undefined)[] = [];
  const offsets: number[] = [];
  return {
    name: `${namespace} at the server`,
    known,
    offsets,
    list: async (version) => {
      known.push(version);
      const current = await engine.exports.version(request);
      if (version === current) return undefined;
      return { version: current, index: list(await engine.exports.list(request)) };
    },
    part: async (segment, { offset, end }) => {
      offsets.push(offset);
      const length = Math.min(end - offset, partBytes ?? MAX_PART_BYTES);
      const found = await engine.exports.part({ ...request, segment, offset, length });
      return found && part(found.bytes, offsets.length - 1);
    },
    close: async () => {},
  };
}
