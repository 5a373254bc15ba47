// Searches while a user types, and shows the results. @inquirer/core reads the keys and draws
// (docs/decisions/0076-interactive-search.md).
import { setTimeout as sleep } from "node:timers/promises";

import {
  createPrompt,
  useEffect,
  useKeypress,
  useRef,
  useState,
  type KeypressEvent,
} from "@inquirer/core";

import { toSvcError } from "../../base/errors.ts";
import type { Passage, SearchResult } from "../../engine/api/search.ts";
import { namespaceWords } from "../../sources/namespace-list.ts";
import { correctionNote } from "../../tools/search/correction-note.ts";
import type { Style } from "../print/style.ts";
import { listRows, searchScreen, type Preview } from "./search-screen.ts";

/** What the user chose, and where the next prompt continues. */
export interface PromptEnd {
  readonly action: "open" | "print" | "leave";
  readonly passage: Passage | undefined;
  readonly query: string;
  readonly selected: number;
}

export interface PromptOptions {
  readonly query: string;
  readonly selected: number;
  /** One line to show at first, such as a problem of the last action. */
  readonly notice: string;
  readonly search: (query: string, signal: AbortSignal) => Promise<SearchResult>;
  readonly read: (passage: Passage, signal: AbortSignal) => Promise<Preview | undefined>;
  /** Puts the location of a result on the user's clipboard. Returns it. */
  readonly copy: (passage: Passage) => string;
  readonly style: Style;
  /** Returns the size of the window. */
  readonly size: () => { readonly columns: number; readonly rows: number };
  /** Calls back after the size of the window has changed and the window has been cleared. Returns how to stop that. */
  readonly onResize: (listener: () => void) => () => void;
}

interface Found {
  readonly results: readonly Passage[];
  readonly status: string;
}

/** Keys of one word that somebody types quickly are one search. */
const DEBOUNCE_MS = 30;
const NOTHING: Found = { results: [], status: "Type a question or a name." };
const SEARCHING: Found = { results: [], status: "Searching" };

export const searchPrompt = createPrompt<PromptEnd, PromptOptions>((options, done) => {
  const [query, setQuery] = useState(options.query);
  const [found, setFound] = useState<Found>(options.query === "" ? NOTHING : SEARCHING);
  const [selected, setSelected] = useState(options.selected);
  const [preview, setPreview] = useState<Preview | undefined>(undefined);
  const [notice, setNotice] = useState(options.notice);
  const [, setResizes] = useState(0);
  const isFirst = useRef(true);

  useEffect((rl) => {
    rl.write(options.query);
    // Ctrl-Z would leave a shell in the middle of the window.
    rl.on("SIGTSTP", () => undefined);
    // Ctrl-D, and the end of input.
    rl.on("close", () => done({ action: "leave", passage: undefined, query, selected }));
    return options.onResize(() => setResizes((count) => count + 1));
  }, []);

  useEffect(() => {
    const isOpening = isFirst.current;
    isFirst.current = false;
    return runUntilReplaced(async (signal) => {
      if (!isOpening) await sleep(DEBOUNCE_MS, undefined, { signal });
      const next = await find(query, options, signal);
      if (signal.aborted) return;
      if (!isOpening) setSelected(0);
      setFound(next);
    });
  }, [query]);

  const passage = found.results[selected];
  useEffect(
    () =>
      runUntilReplaced(async (signal) => {
        const next = passage && (await options.read(passage, signal));
        if (!signal.aborted) setPreview(next);
      }),
    [passage],
  );

  useKeypress((key, rl) => {
    const intent = intentOf(key);
    if (intent === "type") {
      setNotice("");
      setQuery(rl.line);
      return;
    }
    // Some of these keys change the line.
    if (rl.line !== query) {
      rl.clearLine(0);
      rl.write(query);
    }
    if (typeof intent === "object") {
      const by = intent.lines + intent.pages * listRows(options.size().rows);
      setSelected(Math.max(0, Math.min(selected + by, found.results.length - 1)));
    } else if (intent === "leave") done({ action: intent, passage, query, selected });
    else if (passage === undefined) return;
    else if (intent === "copy") setNotice(`Copied ${options.copy(passage)}`);
    else done({ action: intent, passage, query, selected });
  });

  const status = notice === "" ? found.status : notice;
  const state = { query, results: found.results, selected, preview, status };
  const [question, rest] = searchScreen(state, { style: options.style, ...options.size() });
  return [question, rest];
});

/** Moves the selection. */
interface Move {
  readonly lines: number;
  readonly pages: number;
}

type Intent = "type" | "copy" | PromptEnd["action"] | Move;

const UP: Move = { lines: -1, pages: 0 };
const DOWN: Move = { lines: 1, pages: 0 };

const CONTROL_KEYS: Readonly<Record<string, Intent>> = { o: "print", y: "copy", p: UP, n: DOWN };
const KEYS: Readonly<Record<string, Intent>> = {
  escape: "leave",
  return: "open",
  enter: "open",
  up: UP,
  down: DOWN,
  pageup: { lines: 0, pages: -1 },
  pagedown: { lines: 0, pages: 1 },
  // It would put a tab into the query.
  tab: { lines: 0, pages: 0 },
};

function intentOf({ ctrl, name }: KeypressEvent): Intent {
  return (ctrl ? CONTROL_KEYS : KEYS)[name] ?? "type";
}

/** Runs the work until the returned function is called. */
function runUntilReplaced(work: (signal: AbortSignal) => Promise<void>): () => void {
  const controller = new AbortController();
  // The work reports its own failures; an aborted one is of no interest.
  void work(controller.signal).catch(() => undefined);
  return () => controller.abort();
}

async function find(query: string, { search }: PromptOptions, signal: AbortSignal): Promise<Found> {
  if (query.trim() === "") return NOTHING;
  try {
    const result = await search(query.trim(), signal);
    return { results: result.passages, status: statusOf(result) };
  } catch (thrown) {
    return { results: [], status: toSvcError(thrown).message };
  }
}

function statusOf(result: SearchResult): string {
  const { passages, namespace, isWeak } = result;
  const count = passages.length === 1 ? "1 result" : `${passages.length} results`;
  const found = passages.length === 0 ? "No results" : isWeak ? `No good match, ${count}` : count;
  const note = correctionNote(result);
  return `${found} in ${namespaceWords(namespace)}${note === "" ? "" : `  ${note}`}`;
}
