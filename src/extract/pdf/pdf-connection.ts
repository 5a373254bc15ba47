// The half of pdf.js that asks, in as much of its protocol as reading text takes. The messages are those of
// `MessageHandler` in pdf.js; the version of pdf.js is fixed, and tests read real documents.

import { pdfEngine, PDFJS_VERSION, type PdfHandler, type PdfMessage } from "./pdf-engine.ts";

/** Numbers of the protocol. */
const ANSWER = 1;
const REFUSAL = 2;
const CLOSE = 3;
const CHUNK = 4;
const FAILURE = 5;

const DOCUMENT = "document";
/** A page has some hundred runs; one with more than this is a drawing made of letters, or an attack. */
const MAX_RUNS_PER_PAGE = 100_000;

/** A run of text in one font on one line. */
export interface PdfRun {
  readonly str: string;
  readonly width: number;
  readonly height: number;
  /** The usual matrix of PDF: the last two numbers are the place of the left end of the baseline. */
  readonly transform: readonly number[];
  readonly fontName: string;
  /** Whether a line ends after it. */
  readonly hasEOL: boolean;
}

export interface PdfPage {
  readonly runs: readonly PdfRun[];
  /** Names of the page's fonts that are written from top to bottom. */
  readonly vertical: ReadonlySet<string>;
  /** Those of which the document says that all characters have one width. */
  readonly fixed: ReadonlySet<string>;
  /** Whether the page has more than was read. */
  readonly isCut: boolean;
}

export interface PdfOutlineItem {
  readonly title: string;
  /** A name, or a page with a way to show it; null if the item leads elsewhere. */
  readonly dest: unknown;
  readonly items: readonly PdfOutlineItem[];
}

/** Gives the bytes of a table of character codes by the name of its file; undefined if it is unknown. */
export type CmapSource = (file: string) => Uint8Array | undefined;

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

interface Reading extends Waiting {
  readonly runs: PdfRun[];
  readonly vertical: Set<string>;
  readonly fixed: Set<string>;
  isCut: boolean;
}

/** An open document. One at a time is open: pdf.js shares memory between documents. */
export class PdfConnection {
  readonly #cmaps: CmapSource;
  readonly #answers = new Map<number, Waiting>();
  readonly #readings = new Map<number, Reading>();
  readonly #opened = Promise.withResolvers<number>();
  #listeners: ((event: { data: PdfMessage }) => void)[] = [];
  #createDocument: ((data: PdfMessage) => unknown) | undefined;
  #last = 0;

  private constructor(cmaps: CmapSource) {
    this.#cmaps = cmaps;
  }

  /**
   * Opens a document and returns it with the number of its pages. Rejects with the exception of pdf.js, whose name says
   * what it is about.
   */
  static async open(
    bytes: Uint8Array,
    cmaps: CmapSource,
  ): Promise<{ readonly connection: PdfConnection; readonly pageCount: number }> {
    const connection = new PdfConnection(cmaps);
    try {
      return { connection, pageCount: await connection.#open(bytes) };
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Returns the reference of a page ("12R"), by its number from 0. */
  async pageReference(index: number): Promise<string | undefined> {
    const page = fieldsOf(await this.#ask("GetPage", { pageIndex: index }));
    return typeof page["refStr"] === "string" ? page["refStr"] : undefined;
  }

  /** Returns the text of a page; `pageReference` must have returned for it. */
  async text(index: number): Promise<PdfPage> {
    const streamId = (this.#last += 1);
    const { promise, ...waiting } = Promise.withResolvers<unknown>();
    const reading: Reading = {
      runs: [],
      vertical: new Set(),
      fixed: new Set(),
      isCut: false,
      ...waiting,
    };
    this.#readings.set(streamId, reading);
    const data = { pageId: index, pageIndex: index, includeMarkedContent: false };
    this.#send({ action: "GetTextContent", streamId, data, desiredSize: Number.MAX_SAFE_INTEGER });
    await promise;
    return reading;
  }

  /** Returns the outline; an empty list if there is none. */
  async outline(): Promise<readonly PdfOutlineItem[]> {
    const outline = await this.#ask("GetOutline", null);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by pdf.js, in this form
    return (outline ?? []) as readonly PdfOutlineItem[];
  }

  /** Returns what a name of the outline stands for. */
  destination(id: string): Promise<unknown> {
    return this.#ask("GetDestination", { id });
  }

  /** How many parts of documents were too large to be read, in all. */
  get refusals(): number {
    return pdfEngine().refusals();
  }

  /** Frees the fonts that were read; they are read again when they are needed. */
  async freeFonts(): Promise<void> {
    await this.#ask("Cleanup", null);
  }

  /** Frees what pdf.js keeps of the document. */
  async close(): Promise<void> {
    if (this.#listeners.length > 0) await this.#ask("Terminate", null);
    this.#listeners = [];
  }

  async #open(bytes: Uint8Array): Promise<number> {
    const engine = pdfEngine();
    const handler: PdfHandler = {
      on: (action, act) => {
        if (action === "GetDocRequest") this.#createDocument = act;
        // Nothing is said on stdout, whatever is wrong with the document.
        else if (action === "configure") act({ verbosity: 0 });
      },
    };
    engine.setup(handler, {
      addEventListener: (_, listener) => this.#listeners.push(listener),
      postMessage: (message) => {
        // The sender uses the chunk again, so it is read at once; for all else, the sender has to come to its end.
        if (message["stream"] === CHUNK) this.#receivePart(message);
        else queueMicrotask(() => this.#receive(message));
      },
    });
    this.#createDocument?.(documentOptions(engine.arrayOf(bytes)));
    this.#send({ action: "Ready", data: null });
    return this.#opened.promise;
  }

  #ask(action: string, data: unknown): Promise<unknown> {
    const { promise, ...waiting } = Promise.withResolvers<unknown>();
    const callbackId = (this.#last += 1);
    this.#answers.set(callbackId, waiting);
    this.#send({ action, callbackId, data });
    return promise;
  }

  #send(message: PdfMessage): void {
    const data = { sourceName: DOCUMENT, targetName: `${DOCUMENT}_worker`, ...message };
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener({ data });
    });
  }

  #receive(message: PdfMessage): void {
    if (typeof message["stream"] === "number") this.#receivePart(message);
    else if (typeof message["callback"] === "number") this.#receiveAnswer(message);
    else if (typeof message["callbackId"] === "number") this.#answer(message);
    else if (message["action"] === "GetDoc") {
      const count = fieldsOf(fieldsOf(message["data"])["pdfInfo"])["numPages"];
      this.#opened.resolve(typeof count === "number" ? count : 0);
    } else if (message["action"] === "DocException") this.#opened.reject(message["data"]);
  }

  #receiveAnswer(message: PdfMessage): void {
    const id = Number(message["callbackId"]);
    const waiting = this.#answers.get(id);
    this.#answers.delete(id);
    if (message["callback"] === ANSWER) waiting?.resolve(message["data"]);
    else waiting?.reject(message["reason"]);
  }

  /** Answers a question of the other half: it asks for tables of character codes, and for a password. */
  #answer(message: PdfMessage): void {
    const { callbackId, action } = message;
    const { kind, filename } = fieldsOf(message["data"]);
    const bytes =
      action === "FetchBinaryData" && kind === "cMapUrl" && typeof filename === "string"
        ? this.#cmaps(filename)
        : undefined;
    this.#send(
      bytes === undefined
        ? { callback: REFUSAL, callbackId, reason: new Error("not available") }
        : { callback: ANSWER, callbackId, data: pdfEngine().arrayOf(bytes) },
    );
  }

  #receivePart(message: PdfMessage): void {
    const streamId = Number(message["streamId"]);
    const reading = this.#readings.get(streamId);
    if (reading === undefined) return;
    const { stream } = message;
    if (stream === CHUNK) addChunk(reading, fieldsOf(message["chunk"]));
    else if (stream === CLOSE) this.#end(streamId)?.resolve(undefined);
    else if (stream === FAILURE) this.#end(streamId)?.reject(message["reason"]);
  }

  #end(streamId: number): Reading | undefined {
    const reading = this.#readings.get(streamId);
    this.#readings.delete(streamId);
    return reading;
  }
}

function addChunk(reading: Reading, chunk: PdfMessage): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by pdf.js, in this form
  const runs = chunk["items"] as readonly PdfRun[];
  // What comes after these is read without being kept: pdf.js does not stop in a page.
  if (reading.runs.length >= MAX_RUNS_PER_PAGE) reading.isCut = true;
  else for (const run of runs) reading.runs.push(run);
  for (const [font, style] of Object.entries(fieldsOf(chunk["styles"]))) {
    const { vertical, fontFamily } = fieldsOf(style);
    if (vertical === true) reading.vertical.add(font);
    if (fontFamily === "monospace") reading.fixed.add(font);
  }
}

/** Options of the document: text only, and whatever part of it is broken does not stop the rest. */
function documentOptions(data: Uint8Array): PdfMessage {
  return {
    docId: DOCUMENT,
    apiVersion: PDFJS_VERSION,
    data,
    password: null,
    disableAutoFetch: true,
    rangeChunkSize: 1 << 16,
    docBaseUrl: null,
    enableXfa: false,
    evaluatorOptions: {
      // Images are skipped, not decoded.
      maxImageSize: 0,
      canvasMaxAreaInBytes: 0,
      disableFontFace: true,
      ignoreErrors: true,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      fontExtraProperties: false,
      useSystemFonts: false,
      useWasm: false,
      useWorkerFetch: false,
      cMapUrl: "cmaps/",
      cMapPacked: true,
      iccUrl: null,
      standardFontDataUrl: null,
      wasmUrl: null,
    },
  };
}

function fieldsOf(value: unknown): PdfMessage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- any object has fields of unknown types
  return typeof value === "object" && value !== null ? (value as PdfMessage) : {};
}
