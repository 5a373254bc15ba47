import { defineCommand } from "../command.ts";
import { noStore } from "../no-store.ts";
import { isoTime } from "../print/time.ts";

export const command = defineCommand({
  description:
    "Sets the clock of the credential store to the time of this machine. The store keeps the latest time it has seen, so that an expired token does not become valid when the machine's clock is set back. If the machine's clock was once far in the future, tokens expire early: correct the clock, then run this command.\n\nTokens that expired only because of the wrong clock become valid again, and the command lists them. The reset is recorded in the audit log.",
  examples: [
    {
      run: "svc auth store reset-clock",
      description: "Set the clock of the store to the system time.",
    },
  ],
  async run(_input, { app, io }) {
    const admin = await app.sealedStore?.();
    const reset = await admin?.resetClock();
    if (reset === undefined) throw noStore(app);
    const { isChanged, from, to, revalidated } = reset;
    if (!isChanged) {
      io.out("The clock of the store is not ahead of this machine's; nothing was changed.\n");
      return;
    }
    io.out(`The clock of the store was set back from ${isoTime(from)} to ${isoTime(to)}.\n`);
    if (revalidated.length > 0) io.err(`Valid again: ${revalidated.join(", ")}.\n`);
  },
});
