// The command line of train.ts.
import { hash } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import { dirname, posix, resolve } from "node:path";

import { SvcError } from "../../src/base/errors.ts";
import { defineCommand, type Command } from "../../src/cli/command.ts";
import { flagName } from "../../src/cli/parse.ts";
import type { Bits } from "./pack.ts";

export interface TrainingRun {
  readonly sources: readonly string[];
  readonly out: string;
  readonly dimensions: number;
  readonly rows: number;
  readonly epochs: number;
  readonly bits: Bits;
  readonly seed: number;
  /** Takes the path of a file in its folder; undefined if everything is training data. */
  readonly isHeldOut: ((path: string) => boolean) | undefined;
}

type Run = (run: TrainingRun) => Promise<number>;

export const command: Command<Run> = defineCommand({
  flags: {
    sources: {
      type: "list",
      placeholder: "DIR",
      required: true,
      description: "Folder to learn from; may be repeated.",
    },
    out: {
      type: "string",
      placeholder: "FILE",
      required: true,
      description: "File for the table.",
    },
    dimensions: {
      type: "integer",
      placeholder: "N",
      default: 256,
      min: 16,
      max: 1024,
      description: "Length of a vector, a multiple of 16 (256).",
    },
    rows: {
      type: "integer",
      placeholder: "N",
      default: 34_000,
      min: 1,
      max: 1_000_000,
      description: "Maximum number of words with a vector (34000).",
    },
    epochs: {
      type: "integer",
      placeholder: "N",
      default: 3,
      min: 1,
      max: 1000,
      description: "Number of epochs (3).",
    },
    bits: {
      type: "string",
      placeholder: "4|8",
      default: "4",
      choices: ["4", "8"],
      description: "Bits of each number in the table (4).",
    },
    seed: {
      type: "integer",
      placeholder: "N",
      default: 1,
      min: 0,
      max: 2 ** 32 - 1,
      description: "Seed; the same seed and the same files give the same bytes (1).",
    },
    heldOut: {
      type: "string",
      placeholder: "GLOB|SHARE",
      default: "0.1",
      description: "Files for evaluation only: a glob, or a share of all (0.1).",
    },
  },
  run: async ({ flags }, run: Run) => {
    const { dimensions, seed } = flags;
    if (dimensions % 16 !== 0) {
      throw new SvcError("USAGE", `--dimensions takes a multiple of 16, not ${dimensions}.`);
    }
    return run({
      ...flags,
      out: writable(flags.out),
      bits: flags.bits === "4" ? 4 : 8,
      isHeldOut: holdOut(flags.heldOut, seed),
    });
  },
});

/** The flags with their meanings, for --help. */
export function helpText(): string {
  const rows = Object.entries(command.flags).map(([key, flag]) => {
    const value = flag.type === "boolean" ? "" : flag.placeholder;
    return `  ${`--${flagName(key)} ${value}`.padEnd(24)} ${flag.description}`;
  });
  return [
    "Trains a table of word vectors on folders of sources; see scripts/embeddings/README.md.",
    `\n${USAGE}\n`,
    ...rows,
  ].join("\n");
}

export const USAGE = "node scripts/embeddings/train.ts --sources DIR --out FILE [flags]";

/** The absolute path, checked before the long training. */
function writable(path: string): string {
  const absolute = resolve(path);
  const folder = dirname(absolute);
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new SvcError("USAGE", `--out takes a file, and ${path} is a folder.`, {
      hint: "Add the name of a file to it.",
    });
  }
  try {
    accessSync(folder, constants.W_OK);
  } catch (cause) {
    throw new SvcError("USAGE", `--out cannot be written: there is no writable folder ${folder}.`, {
      hint: "Create the folder, or choose another.",
      cause,
    });
  }
  return absolute;
}

/** Chooses files by a glob, or about the given share of all files: the same ones for the same seed. */
function holdOut(which: string, seed: number): ((path: string) => boolean) | undefined {
  const share = Number(which);
  if (share === 0) return undefined;
  if (Number.isNaN(share)) return (path) => posix.matchesGlob(path, which);
  if (share > 0 && share < 1) {
    return (path) => hash("sha256", `${seed} ${path}`, "buffer").readUInt32BE() < share * 2 ** 32;
  }
  throw new SvcError("USAGE", `--held-out takes a glob or a share below 1, not "${which}".`, {
    hint: "0.1 holds out a tenth of the files.",
  });
}
