// Stores the answers of each place once it has all of them, so that an interrupted run can continue.
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";

import type { Answer } from "./reply.ts";

export interface KeptAnswers {
  /** The answers to these questions; undefined unless all of them are stored. */
  readonly read: (
    place: string,
    queries: ReadonlySet<string>,
  ) => ReadonlyMap<string, Answer> | undefined;
  readonly keep: (place: string, answers: ReadonlyMap<string, Answer>) => void;
}

/**
 * The answers of one executable, in `folder`. Deletes those of other executables and, without `resumes`, its own too.
 */
export function keptAnswers(folder: string, svc: string, resumes: boolean): KeptAnswers {
  const own = createHash("sha256").update(readFileSync(svc)).digest("hex").slice(0, 16);
  if (existsSync(folder)) {
    for (const name of readdirSync(folder)) {
      if (name !== own || !resumes) rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
  const fileOf = (place: string): string =>
    join(folder, own, `${place.replaceAll(/[^\w.-]/g, "_")}.json`);
  return {
    read(place, queries) {
      if (!existsSync(fileOf(place))) return undefined;
      const answers = new Map<string, Answer>(JSON.parse(readFileSync(fileOf(place), "utf8")));
      return [...queries].every((query) => answers.has(query)) ? answers : undefined;
    },
    keep(place, answers) {
      // A question without an answer runs again.
      if ([...answers.values()].some(({ error }) => error !== undefined)) return;
      mkdirSync(join(folder, own), { recursive: true });
      const file = fileOf(place);
      writeFileSync(`${file}.new`, JSON.stringify([...answers]));
      renameSync(`${file}.new`, file);
    },
  };
}
