import { CLIENTS } from "../../clients/definitions.ts";
import { requireClient } from "../../clients/find-client.ts";
import { uninstall } from "../../clients/install.ts";
import { uninstallRules } from "../../clients/rules.ts";
import { rulesTarget } from "../../clients/rules-target.ts";
import { clientLock, clientMachine, PROJECT_FLAG, ROOT_FLAG, targetOf } from "../client-flags.ts";
import { defineCommand, JSON_FLAG } from "../command.ts";
import { printJson } from "../print/json.ts";
import { reportRules, rulesJson } from "../print/rules.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Removes the entry of svc from the client's configuration, and the rules of --with-rules, and changes nothing else. Saves the previous file next to it with the suffix .svc-backup. If there is no entry, says so and changes nothing. The token of this machine stays valid; `svc auth token revoke` revokes it.",
  args: [
    {
      name: "client",
      required: true,
      suggests: CLIENTS.map(({ id }) => id),
      description: "Client to change (see `svc install`).",
    },
  ],
  flags: { project: PROJECT_FLAG, root: ROOT_FLAG, json: JSON_FLAG },
  examples: [{ run: "svc uninstall cursor", description: "Remove svc from Cursor." }],
  async run({ args, flags: { project, root, json } }, { app, io }) {
    const client = requireClient(args.client);
    const target = await targetOf(app, client, { project, root });
    const { state, backup } = await uninstall(target, clientLock(app));
    const { scope, path } = target;
    const rulesFile = rulesTarget(target, clientMachine(app));
    const rules = rulesFile && uninstallRules(rulesFile);
    const hasRules = rules !== undefined && rules.state !== "absent";
    if (json) {
      const more = hasRules ? { rules: rulesJson(rules) } : {};
      printJson(io, {
        client: client.id,
        scope,
        file: path,
        state,
        backup: backup ?? null,
        ...more,
      });
      return;
    }
    const done = state === "removed" ? "Removed svc from" : "svc is not in";
    io.out(safeText(`${done} ${client.name}: ${path}\n`));
    if (hasRules) reportRules(io, rules);
    if (backup !== undefined) io.err(safeText(`svc: the previous file is saved as ${backup}.\n`));
  },
});
