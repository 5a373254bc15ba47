// Checks the credential store, the default token and the audit log, whose key is in the store. One check for all three
// loads the data key once.

import { counted } from "../base/amounts.ts";
import type { SvcError } from "../base/errors.ts";
import { toSvcError } from "../base/errors.ts";
import type { AuditDamage, AuditReader } from "../credentials/audit/port.ts";
import { verify } from "../credentials/authenticate.ts";
import { CREATE_HINTS } from "../credentials/secret-format.ts";
import { expiresSoon, renewCommand } from "../credentials/token-expiry.ts";
import { type TokenOrigin, withTokenRemedy } from "../credentials/token-remedy.ts";
import type { CredentialStore, DefaultToken } from "../credentials/port.ts";
import type { StoreStatus } from "../credentials/sealed/store-status.ts";
import { isOpenToOthers } from "./check-permissions.ts";
import type { Check, CheckContext } from "./check-context.ts";
import { quoted } from "../base/quoted.ts";
import { type Finding, createReporter } from "./finding.ts";

const CHECK = "credentials";
const { ok, warning, failed } = createReporter(CHECK);
const TOKENS = {
  store: createReporter("default token"),
  environment: createReporter("SERVICE_TOKEN"),
} as const;
const audit = createReporter("audit log");

const KEY_LOCATIONS = {
  file: "a key file",
  keychain: "the keychain",
  passphrase: "a passphrase",
} as const;

/** The store opens, is the last version that svc wrote, and its token and audit log are valid. */
export const checkCredentials: Check = {
  name: CHECK,
  async run(context) {
    const admin = await context.sealedStore?.();
    if (admin === undefined) return [ok("no credential store on this machine yet")];
    const open = admin.directories.find((path) => isOpenToOthers(path));
    // Opening the store would change these permissions, and doctor changes nothing.
    if (open !== undefined) {
      const fix = `Run \`chmod -R go-rwx ${quoted(open)}\`, then \`svc doctor\` again.`;
      return [failed(`not opened: ${open} is open to other accounts`, fix)];
    }
    const contentFindings: Finding[] = [];
    const status = await admin.status({
      isReadOnly: true,
      inspect: async ({ store, audit: log }) => {
        contentFindings.push(...(await tokenFindings(store, context.settings.token)));
        contentFindings.push(...(await logFindings(log, context)));
      },
    });
    return [...storeFindings(status), ...contentFindings];
  },
};

function storeFindings(status: StoreStatus): readonly Finding[] {
  const { problem, exists, keySource, keyLocation, credentials, clock, unusedKeyFile } = status;
  const key =
    keySource === undefined
      ? ""
      : `; its key is in ${KEY_LOCATIONS[keySource]}${keyLocation === undefined ? "" : ` (${keyLocation})`}`;
  if (problem !== undefined) {
    return [failed(`${problem.detail}${key}`, problem.hint ?? "Run `svc auth store status`.")];
  }
  if (!exists) return [ok("no credential store on this machine yet")];
  const findings = [ok(`${counted(credentials?.active ?? 0, "active credential")}${key}`)];
  if (clock?.isAhead === true) {
    const known = new Date(clock.known).toISOString();
    findings.push(
      warning(
        `the store recorded the time ${known}, which is in the future: tokens expire early`,
        "If the clock of this machine is correct, run `svc auth store reset-clock`.",
      ),
    );
  }
  if (unusedKeyFile !== undefined) {
    const what = `${unusedKeyFile} contains a key that this store no longer uses`;
    findings.push(warning(what, `Run \`rm ${quoted(unusedKeyFile)}\`.`));
  }
  return findings;
}

/** The token that `svc mcp` uses in this shell, and the saved one, which editors use. */
async function tokenFindings(
  store: CredentialStore & { readonly defaultToken: DefaultToken },
  given: string | undefined,
): Promise<readonly Finding[]> {
  const saved = await store.defaultToken.read();
  const used = given === undefined ? [] : [await tokenFinding(store, given, "environment")];
  if (saved !== undefined) return [...used, await tokenFinding(store, saved, "store")];
  return [...used, TOKENS.store.ok("none is saved: clients must set SERVICE_TOKEN")];
}

async function tokenFinding(
  store: CredentialStore,
  secret: string,
  origin: TokenOrigin,
): Promise<Finding> {
  const { ok: valid, warning: ending, failed: refused } = TOKENS[origin];
  try {
    const { id, name, expiresAt } = await verify(store, secret, "token");
    const now = await store.time(Date.now());
    const until = expiresAt === undefined ? "" : ` until ${new Date(expiresAt).toISOString()}`;
    const what = `"${name}" is valid${until}`;
    if (!expiresSoon(expiresAt, now)) return valid(what);
    return ending(what, `Run \`${renewCommand(origin, id)}\`.`);
  } catch (thrown) {
    const { message, hint }: SvcError = withTokenRemedy(thrown, origin);
    return refused(message, hint ?? CREATE_HINTS.token);
  }
}

async function logFindings(
  log: AuditReader,
  { isDeep }: CheckContext,
): Promise<readonly Finding[]> {
  try {
    // Verifying a log of 512 MiB takes many seconds.
    const result = await log.verify({ isQuick: !isDeep });
    if (result === undefined) return [audit.ok("nothing has been audited yet")];
    const { parts, unread, lines, damage } = result;
    if (damage !== undefined) return [damagedLog(log, damage)];
    const extent = `${counted(lines, "line")} in ${counted(parts - unread, "file")} verified`;
    const rest = `; ${counted(unread, "older file")} not verified (run \`svc audit verify\`)`;
    return [audit.ok(unread === 0 ? extent : extent + rest)];
  } catch (thrown) {
    const { message, hint } = toSvcError(thrown);
    return [audit.failed(message, hint ?? "Run `svc audit verify`.")];
  }
}

function damagedLog({ location }: AuditReader, { part, line, kind, detail }: AuditDamage): Finding {
  const place = line === undefined ? part : `${part}, line ${line}`;
  return audit.failed(
    `${place}: ${kind} (${detail})`,
    `Keep a copy (\`cp -a ${quoted(location)} ${quoted(`${location}-copy`)}\`) and check who can write there; \`svc audit verify\` shows how much of it is valid.`,
  );
}
