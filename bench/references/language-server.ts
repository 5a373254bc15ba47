// A client of the Language Server Protocol over standard input and output: as much as the bench needs.
import { spawn } from "node:child_process";
import { pathToFileURL } from "node:url";

export interface Position {
  /** 0-based. */
  readonly line: number;
  /** 0-based, in UTF-16 units. */
  readonly character: number;
}

export interface Location {
  readonly uri: string;
  readonly range: { readonly start: Position; readonly end: Position };
}

export interface DocumentSymbol {
  readonly name: string;
  /** A number of the protocol's `SymbolKind`. */
  readonly kind: number;
  readonly selectionRange: Location["range"];
  readonly children?: readonly DocumentSymbol[];
}

export interface ServerCommand {
  readonly command: readonly string[];
  readonly initializationOptions: Readonly<Record<string, unknown>>;
  /** A method of a message that says that the whole project has been read; undefined if there is none. */
  readonly readyMethod: string | undefined;
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

export interface LanguageServer {
  readonly notify: (method: string, params: unknown) => void;
  readonly request: (method: string, params: unknown) => Promise<unknown>;
  /** The names of the types of semantic tokens, by number. */
  readonly tokenTypes: readonly string[];
  /** The names of the modifiers of semantic tokens, by bit. */
  readonly tokenModifiers: readonly string[];
  readonly close: () => void;
  /** Resolves when the server has read the whole project. */
  readonly ready: Promise<undefined>;
}

interface Legend {
  readonly tokenTypes?: readonly string[];
  readonly tokenModifiers?: readonly string[];
}

/** What a server says of itself, as far as it is used. */
interface Initialized {
  readonly capabilities?: {
    readonly semanticTokensProvider?: { readonly legend?: Legend };
  };
}

const READY_LIMIT_MS = 600_000;

/** Starts it in a folder. */
export async function startServer(
  { command, initializationOptions, readyMethod }: ServerCommand,
  root: string,
): Promise<LanguageServer> {
  const [program = "", ...words] = command;
  const child = spawn(program, words, { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<undefined>();
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const take = ({ id, method, params, result, error }: Message): void => {
    if (method !== undefined && id !== undefined) send({ id, result: null });
    else if (method !== undefined) {
      if (method === readyMethod && !isUnderWay(params)) ready.resolve(undefined);
    } else if (typeof id === "number") {
      if (error === undefined) waiting.get(id)?.resolve(result);
      else waiting.get(id)?.reject(new Error(error.message));
      waiting.delete(id);
    }
  };
  let rest = Buffer.alloc(0);
  child.stdout.on("data", (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const head = rest.indexOf("\r\n\r\n");
      const length = /Content-Length: (\d+)/i.exec(rest.toString("latin1", 0, head))?.[1];
      const end = head + 4 + Number(length);
      if (head === -1 || length === undefined || rest.length < end) return;
      const message: Message = JSON.parse(rest.toString("utf8", head + 4, end));
      rest = rest.subarray(end);
      take(message);
    }
  });
  let last = 0;
  const request = (method: string, params: unknown): Promise<unknown> => {
    const answer = Promise.withResolvers<unknown>();
    waiting.set((last += 1), answer);
    send({ id: last, method, params });
    return answer.promise;
  };
  const rootUri = String(pathToFileURL(root));
  const answer: unknown = await request("initialize", {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: "project" }],
    initializationOptions,
    capabilities: {
      window: { workDoneProgress: true },
      workspace: { workspaceFolders: true },
      textDocument: {
        documentSymbol: { hierarchicalDocumentSymbolSupport: true },
        semanticTokens: {
          requests: { full: true },
          tokenTypes: ["comment"],
          formats: ["relative"],
        },
      },
    },
  });
  const { tokenTypes = [], tokenModifiers = [] } = legendOf(Object(answer));
  send({ method: "initialized", params: {} });
  if (readyMethod === undefined) ready.resolve(undefined);
  setTimeout(() => {
    ready.reject(new Error(`${program} was not ready after ${READY_LIMIT_MS / 1000} s`));
  }, READY_LIMIT_MS).unref();
  return {
    notify: (method, params) => {
      send({ method, params });
    },
    request,
    tokenTypes,
    tokenModifiers,
    close: () => {
      child.kill();
    },
    ready: ready.promise,
  };
}

function legendOf({ capabilities }: Initialized): Legend {
  return capabilities?.semanticTokensProvider?.legend ?? {};
}

function isUnderWay(params: unknown): boolean {
  const text = JSON.stringify(params ?? {});
  return text.includes('"kind":"begin"') || text.includes('"kind":"report"');
}
