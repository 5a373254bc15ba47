import { CLIENTS } from "../../clients/definitions.ts";
import { requireClient } from "../../clients/find-client.ts";
import { uninstall } from "../../clients/install.ts";
import { clientLock, PROJECT_FLAG, ROOT_FLAG, targetOf } from "../client-flags.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Takes the entry of svc out of the client's configuration and leaves everything else as it is. What was there before is kept beside it in a file that ends with .svc-backup. Where there is no entry, it says so and changes nothing. The token of this machine stays: `svc auth token revoke` ends it.",
  args: [
    {
      name: "client",
      required: true,
      suggests: CLIENTS.map(({ id }) => id),
      description: "The client, as `svc install` lists it.",
    },
  ],
  flags: { project: PROJECT_FLAG, root: ROOT_FLAG, json: JSON_FLAG },
  examples: [{ run: "svc uninstall cursor", description: "Takes svc out of Cursor." }],
  async run({ args, flags: { project, root, json } }, { app, io }) {
    const client = requireClient(args.client);
    const target = await targetOf(app, client, { project, root });
    const { state, backup } = await uninstall(target, clientLock(app));
    const { scope, path } = target;
    if (json) {
      printJson(io, { client: client.id, scope, file: path, state, backup: backup ?? null });
      return;
    }
    const done = state === "removed" ? "Removed svc from" : "svc is not in";
    io.out(safeText(`${done} ${client.name}: ${path}\n`));
    if (backup !== undefined) io.err(safeText(`svc: what was there before is in ${backup}.\n`));
  },
});
