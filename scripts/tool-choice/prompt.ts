// The text from which a model chooses: the tools as a client receives them, and the tasks. Nothing else.
import { createHash } from "node:crypto";

import type { ToolListing } from "../../src/tools/tool.ts";
import { permutation, randomFrom } from "../embeddings/random.ts";
import type { Task } from "./tasks.ts";

type Listed = Pick<ToolListing, "descriptor">;

/** The part of each tool that clients pass to their model. */
function shownTools(tools: readonly Listed[]) {
  return tools.map(({ descriptor: { name, title, description, inputSchema } }) => {
    return { name, title, description, inputSchema };
  });
}

/** A hash that changes with every word about the tools that a model sees. */
export function descriptorsHash(tools: readonly Listed[]): string {
  return shortHash(JSON.stringify(shownTools(tools)));
}

export interface Prompt {
  /** `SEED-HASH`, the hash over everything but itself. The answer repeats it. */
  readonly id: string;
  readonly text: string;
  /** In the order of their numbers, which begin at 1. */
  readonly tasks: readonly Task[];
}

export function createPrompt(
  tools: readonly Listed[],
  tasks: readonly Task[],
  seed: number,
): Prompt {
  const shuffled = [...permutation(tasks.length, randomFrom(seed))].flatMap((at) =>
    tasks.slice(at, at + 1),
  );
  const body = [
    "You are a coding agent. These are the tools of an MCP server, as its answer to tools/list has them:",
    shownTools(tools)
      .map((tool) => JSON.stringify(tool))
      .join("\n"),
    "Here are tasks, each of its own and each about a repository that you have not seen. For each, name the one tool of these that you would call first. Judge by what stands above alone.",
    shuffled.map(({ task }, at) => `${at + 1}. ${task}`).join("\n"),
  ].join("\n\n");
  const id = `${seed}-${shortHash(body)}`;
  const answer = `Answer with one JSON object and nothing else: the member "prompt" is "${id}", and each number has the name of a tool:`;
  const example = `{"prompt": "${id}", "1": "NAME", "2": "NAME", …, "${tasks.length}": "NAME"}`;
  return { id, text: `${body}\n\n${answer}\n\n${example}\n`, tasks: shuffled };
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
