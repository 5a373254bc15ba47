import type { FileReferences } from "../../parse/references/references.ts";
import { ByteWriter } from "../coding/bytes.ts";
import type { EncodedReferences } from "../types.ts";
import { ReferenceBlockWriter } from "./reference-block.ts";
import { usedTerms } from "./used-terms.ts";

const blocks = new ReferenceBlockWriter();
const buffer = new ByteWriter();

/** Encodes references, so that they can be sent to the thread that writes the index. */
export function encodeReferences(references: FileReferences): EncodedReferences {
  buffer.clear();
  blocks.write(buffer, references);
  return { block: buffer.finish().slice(), terms: [...usedTerms(references)] };
}

export function isEncoded(
  references: FileReferences | EncodedReferences,
): references is EncodedReferences {
  return "block" in references;
}
