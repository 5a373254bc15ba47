// pdf.js in a realm of its own: a V8 context without process, files, network, eval and WebAssembly. Only the half of
// pdf.js that reads documents is loaded; the half that draws pages, with its canvas, is not part of the program.
// docs/decisions/0081-pdf-in-a-realm-of-its-own.md

import { constants, createContext, Script } from "node:vm";

import { readAsset } from "../../base/assets.ts";
import { MAX_UNPACKED_BYTES } from "../../base/documents/document-formats.ts";

/** Both halves of pdf.js compare it; the loader compares it with the one in the file. */
export const PDFJS_VERSION = "6.5.438";

/** A message between the halves of pdf.js. */
export type PdfMessage = Readonly<Record<string, unknown>>;

/** What pdf.js takes for the connection to its other half. */
export interface PdfPort {
  postMessage(message: PdfMessage): void;
  addEventListener(type: "message", listener: (event: { data: PdfMessage }) => void): void;
}

/** What pdf.js hands to the function that sets it up; it calls back for each document. */
export interface PdfHandler {
  on(action: string, handler: (data: PdfMessage) => unknown): void;
}

export interface PdfEngine {
  readonly setup: (handler: PdfHandler, port: PdfPort) => void;
  /** Returns the bytes as an array of the realm, without a copy. */
  readonly arrayOf: (bytes: Uint8Array) => Uint8Array;
  /** How often it wanted more memory for a part of a document than it may have. */
  readonly refusals: () => number;
}

/** The global object of the realm, as far as this file uses it. */
interface Realm {
  readonly Uint8Array: typeof Uint8Array;
  readonly pdfjsWorker: {
    readonly WorkerMessageHandler: {
      setup(handler: PdfHandler, port: PdfPort): void;
    };
  };
}

const BUFFERS = [
  "ArrayBuffer",
  "Uint8Array",
  "Uint8ClampedArray",
  "Int8Array",
  "Uint16Array",
  "Int16Array",
  "Uint32Array",
  "Int32Array",
  "Float32Array",
  "Float64Array",
] as const;

let engine: PdfEngine | undefined;
let refusals = 0;

/** Loads pdf.js with the first call. Throws an Error if the asset is not the version that this program knows. */
export function pdfEngine(): PdfEngine {
  engine ??= loadEngine();
  return engine;
}

function loadEngine(): PdfEngine {
  const context = createContext(constants.DONT_CONTEXTIFY, {
    name: "pdf.js",
    codeGeneration: { strings: false, wasm: false },
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the global object of a new realm
  const realm = context as unknown as Realm;
  const { Uint8Array: RealmArray } = realm;
  for (const name of BUFFERS) {
    const made: unknown = Reflect.get(context, name);
    if (typeof made === "function") Reflect.set(context, name, limited(made));
  }
  Object.assign(context, hostParts());
  new Script(scriptOf(Buffer.from(readAsset("pdf.js")).toString("utf8")), {
    filename: "pdf.js",
  }).runInContext(context);
  const { WorkerMessageHandler } = realm.pdfjsWorker;
  return {
    setup: (handler, port) => WorkerMessageHandler.setup(handler, port),
    refusals: () => refusals,
    arrayOf: (bytes) => new RealmArray(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  };
}

function silent(): void {
  // Nothing is written while a document is read.
}

/** A constructor of nothing. */
function constructor(): unknown {
  return function none(): void {
    throw new Error("not available");
  };
}

/** What pdf.js uses of a browser to read text. The rest is missing in the realm, and pdf.js does without it. */
function hostParts(): Readonly<Record<string, unknown>> {
  return {
    TextDecoder,
    URL,
    URLSearchParams,
    AbortController: class {
      readonly signal = {};
      abort(): void {}
    },
    // It adds a method to these two when it starts.
    Blob: constructor(),
    Response: constructor(),
    console: { log: silent, info: silent, warn: silent, error: silent },
    navigator: { platform: "", userAgent: "", language: "en" },
    WebAssembly: undefined,
  };
}

/**
 * The constructor of a typed array that refuses to make one larger than a document may unpack to. pdf.js unpacks a stream
 * into an array that it doubles without a limit, outside of the heap that V8 limits.
 */
// oxlint-disable-next-line typescript/no-unsafe-function-type -- a constructor of another realm
function limited(buffer: Function): Function {
  const size: unknown = Reflect.get(buffer, "BYTES_PER_ELEMENT");
  const limit = MAX_UNPACKED_BYTES / (typeof size === "number" ? size : 1);
  const made = new Proxy(buffer, {
    construct(target, args, newTarget): object {
      const [length] = args;
      if (typeof length === "number" && length > limit) {
        refusals += 1;
        throw new RangeError("a part of the document is too large");
      }
      return Reflect.construct(target, args, newTarget === made ? target : newTarget);
    },
  });
  return made;
}

/**
 * Where pdf.js begins to read pages that it may never ask for. If one is broken, its promise is rejected with nobody to
 * handle that, which ends a thread.
 */
const READ_AHEAD = /\.put\((?<key>\w+),(?<read>\w+\.fetchAsync\(\k<key>\))\)/;

/** The module of pdf.js as a script: a context without a loader of modules runs only those. */
function scriptOf(source: string): string {
  const end = source.lastIndexOf("export{");
  if (!source.includes(`pdfjsVersion = ${PDFJS_VERSION}\n`) || !READ_AHEAD.test(source) || end < 0)
    throw new Error(`pdf.js is not the ${PDFJS_VERSION} that this program knows`);
  const script = source
    .slice(0, end)
    .replaceAll("import.meta.url", '""')
    .replace(READ_AHEAD, ".put($<key>,handled($<read>))");
  const handled = "const handled=(promise)=>{promise.catch(()=>{});return promise};";
  return `(function(){"use strict";${handled}${script}})()`;
}
