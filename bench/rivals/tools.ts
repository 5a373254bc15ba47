// The command line for each query of a tool, and the part of its reply that is the answer.
import type { Question, QuestionKind } from "./grade.ts";

export interface Tool {
  readonly name: string;
  /** Created once for a work tree. */
  readonly index: (root: string) => readonly string[];
  /** Words after the name of the program; undefined if the tool has no such query. */
  readonly ask: (question: Question, root: string) => readonly string[] | undefined;
  /** The part of the output that is the answer. Default: all of it. */
  readonly answer?: (output: string, question: Question) => string;
}

const UPSTREAM = ["--depth", "2", "--include-tests", "-l", "500"];
/** A high limit, so that no answer is cut short. */
const MAX_RESULTS = "500";

type Table = Readonly<Record<QuestionKind, (question: Question) => readonly string[]>>;

const SVC: Table = {
  callers: ({ path, line }) => ["refs", `${path}:${line}`, "-r", "callers", "-n", MAX_RESULTS],
  defined: ({ name }) => ["symbols", name, "-n", "1"],
  implements: ({ path, line }) => [
    "refs",
    `${path}:${line}`,
    "-r",
    "implementations",
    "-n",
    MAX_RESULTS,
  ],
  importers: ({ path }) => ["refs", path, "-r", "importers", "-n", MAX_RESULTS],
  touches: ({ path, line }) => ["refs", `${path}:${line}`, "--depth", "2", "-n", MAX_RESULTS],
};

const CODEGRAPH: Table = {
  callers: ({ name, path }) => ["callers", name, "-f", path, "-l", MAX_RESULTS],
  defined: ({ name }) => ["query", name, "-l", "1"],
  // The tool has no command for this; the direct effects of a change to an interface come closest.
  implements: ({ name, path }) => ["impact", name, "-f", path, "-d", "1"],
  importers: ({ path }) => ["node", "--file", path, "--symbols-only"],
  touches: ({ name, path }) => ["impact", name, "-f", path, "-d", "2"],
};

const GITNEXUS: Table = {
  callers: ({ name, path }) => ["context", name, "-f", path, "-l", MAX_RESULTS],
  defined: ({ name }) => ["context", name, "-l", "1"],
  implements: ({ name, path }) => ["context", name, "-f", path, "-l", MAX_RESULTS],
  importers: ({ name, path }) => ["context", name, "-f", path, "-l", MAX_RESULTS],
  touches: ({ name, path }) => ["impact", name, "-f", path, ...UPSTREAM],
};

/** The relations of `context` that answer a question. */
const RELATIONS: Readonly<Partial<Record<QuestionKind, readonly string[]>>> = {
  callers: ["calls"],
  implements: ["implements", "extends"],
  importers: ["imports"],
};

export const TOOLS: readonly Tool[] = [
  {
    name: "svc",
    index: (root) => ["index", root],
    ask: (question, root) => {
      const [command = "", subject = "", ...flags] = SVC[question.kind](question);
      return [command, subject, root, ...flags];
    },
  },
  {
    name: "codegraph",
    index: (root) => ["init", "--yes", root],
    ask: (question, root) => [...CODEGRAPH[question.kind](question), "-p", root],
  },
  {
    name: "gitnexus",
    index: (root) => ["analyze", "--index-only", root],
    ask: (question) => [...GITNEXUS[question.kind](question), "-r", question.repository],
    answer: gitnexusAnswer,
  },
];

interface GitnexusReply {
  readonly symbol?: unknown;
  readonly incoming?: Readonly<Record<string, unknown>>;
  readonly byDepth?: unknown;
}

/** Its replies are JSON, sometimes after a log line. Other text is the answer itself. */
function gitnexusAnswer(output: string, { kind }: Question): string {
  const reply = parsed(output.slice(Math.max(0, output.search(/^\{\s*$/m))));
  if (reply === undefined) return output;
  if (kind === "defined") return JSON.stringify(reply.symbol ?? reply);
  if (kind === "touches") return JSON.stringify(reply.byDepth ?? {});
  const relations = RELATIONS[kind] ?? [];
  return JSON.stringify(relations.map((relation) => reply.incoming?.[relation]));
}

function parsed(text: string): GitnexusReply | undefined {
  try {
    const reply: GitnexusReply = JSON.parse(text);
    return reply;
  } catch {
    return undefined;
  }
}
