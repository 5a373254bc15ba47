import { defineCommand } from "../command.ts";
import { confirm } from "../confirm.ts";
import { noStore } from "../no-store.ts";
import { safeText } from "../print/safe-text.ts";

export const command = defineCommand({
  description:
    "Accepts the credential store and the audit log as they are now, although they do not agree. svc refuses such a store, because somebody may have restored an older copy to make a revoked credential valid again. Use this command after you restored a backup or removed the log yourself.\n\nThe command first lists credentials that are revoked in the log and valid in this store. It is recorded in the audit log. `svc audit verify` still reports a log that lost lines as damaged.",
  flags: { yes: { type: "boolean", short: "y", description: "Do not ask for confirmation." } },
  examples: [
    {
      run: "svc auth store accept",
      description: "List credentials that would be valid again, and ask.",
    },
  ],
  async run({ flags }, { app, io, signal }) {
    const admin = await app.sealedStore?.();
    const outcome = await admin?.accept(async ({ problem, revalidated }) => {
      io.err(safeText(`${problem}\n`));
      for (const { id, kind, name } of revalidated) {
        const group = kind === "key" ? "keys" : "token";
        io.err(
          safeText(
            `The log shows ${id} "${name}" as revoked; it would be valid again. Revoke it with \`svc auth ${group} revoke ${id}\`.\n`,
          ),
        );
      }
      return flags.yes || (await confirm("Accept this state?", { io, signal }));
    });
    if (outcome === undefined) throw noStore(app);
    if (outcome === "agrees") {
      io.out("The credential store and the audit log agree; nothing was changed.\n");
    } else if (outcome === "declined") io.err("Nothing was changed.\n");
    else io.out("Accepted: the credential store and the audit log are used as they are.\n");
  },
});
