import { SvcError } from "../../base/errors.ts";
import { BACKEND_FLAG, defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

const DAMAGED = 2;

export const command = defineCommand({
  description:
    "Reads every index and compares it with its checksums. In a PostgreSQL database, also reads the objects that new copies are made of, and the text of every file. Changes and repairs nothing; the exit code is 2 if something is damaged.",
  flags: {
    namespace: { type: "string", placeholder: "NS", description: "Check only this namespace." },
    backend: BACKEND_FLAG,
    json: JSON_FLAG,
  },
  examples: [
    { run: "svc backend check", description: "Check everything on this machine." },
    {
      run: "svc backend check --backend postgres://db.example.org/svc --namespace docs",
      description: "Check one index of a team.",
    },
  ],
  async run({ flags }, { app, io, signal }) {
    const verified: { namespace: string; files: number; damage: readonly string[] }[] = [];
    for await (const one of await app.verifyBackend(flags.namespace)) {
      signal.throwIfAborted();
      verified.push(one);
      if (!flags.json) io.out(safeText(textOf(one)));
    }
    if (verified.length === 0) {
      throw new SvcError("INDEX_EMPTY", "Nothing is indexed yet.", { hint: "Run `svc index`." });
    }
    if (flags.json) printJson(io, verified);
    return verified.some(({ damage }) => damage.length > 0) ? DAMAGED : 0;
  },
});

function textOf({
  namespace,
  files,
  damage,
}: {
  readonly namespace: string;
  readonly files: number;
  readonly damage: readonly string[];
}): string {
  if (damage.length === 0) return `${namespace}: intact (${files} files).\n`;
  return [
    `${namespace}: damaged.`,
    ...damage.map((what) => `  ${what}`),
    "  Run `svc index --rebuild` where its sources are: it reads every file again.",
    "",
  ].join("\n");
}
