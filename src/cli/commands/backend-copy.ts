import { SvcError } from "../../base/errors.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

const PLACE =
  "a PostgreSQL database (postgres://USER@HOST/DATABASE), a data directory, or `files` for that of this machine";

export const command = defineCommand({
  description: `Copies namespaces with their indexes, changes and sources from one place to another: ${PLACE}. Into a database, it also copies the texts of the files. Monitors and credentials stay where they are. An interrupted copy goes on when the command is run again. svc compares both indexes in the end. A namespace that the target has with another index is refused. No file of the source is changed.`,
  flags: {
    from: {
      type: "string",
      required: true,
      placeholder: "PLACE",
      description: "Copy from this place.",
    },
    to: {
      type: "string",
      required: true,
      placeholder: "PLACE",
      description: "Copy to this place.",
    },
    namespace: { type: "string", placeholder: "NS", description: "Copy only this namespace." },
    json: JSON_FLAG,
  },
  examples: [
    {
      run: "svc backend copy --from files --to postgres://svc@db.example.org/svc",
      description: "Give everything that this machine has indexed to a team.",
    },
    {
      run: "svc backend copy --from postgres://svc@db.example.org/svc --to files --namespace docs",
      description: "Keep a copy of one index of the team on this machine.",
    },
  ],
  async run({ flags: { from, to, namespace, json } }, { app, io, signal }) {
    if (from === to) {
      throw new SvcError("USAGE", "--from and --to name the same place.", {
        hint: "Name two different ones.",
      });
    }
    const copied: object[] = [];
    for await (const one of await app.copyBackend(from, to, namespace)) {
      signal.throwIfAborted();
      const { namespace: name, files, sum, changedFiles, isNew } = one;
      copied.push({ namespace: name, files, sum, changed_files: changedFiles, copied: isNew });
      if (json) continue;
      const what = isNew ? "copied" : "equal already";
      io.out(safeText(`${name}: ${what} (${files} files, sum ${sum}).\n`));
      if (changedFiles === 0) continue;
      io.out(
        `  ${changedFiles} of them have changed since they were indexed. \`svc index\` with the target updates them.\n`,
      );
    }
    if (copied.length === 0) {
      throw new SvcError("INDEX_EMPTY", "Nothing is indexed there yet.", {
        hint: "Run `svc index`.",
      });
    }
    if (json) printJson(io, copied);
  },
});
