import { PostgresAuditLog } from "../../../../src/credentials/audit/postgres/postgres-audit-log.ts";
import { auditContract } from "../../../contract/audit.ts";
import { needs } from "../../../helpers/needs.ts";
import { serverForTests } from "../../../helpers/postgres-for-tests.ts";

needs(["postgres"], () => {
  const server = serverForTests();

  auditContract(() => {
    const url = server.freshUrl();
    const database = server.open(url);
    return {
      open: (options) => new PostgresAuditLog(server.open(url), options),
      reader: new PostgresAuditLog(database),
      block: async () => {
        await database.query("ALTER TABLE audit_head RENAME TO hidden");
        return () => database.query("ALTER TABLE hidden RENAME TO audit_head");
      },
      tamper: async (change) => {
        const rows = await database.query("SELECT line FROM audit_line ORDER BY seq");
        await database.query("DELETE FROM audit_line");
        for (const [at, line] of change(rows.map((row) => String(row["line"]))).entries()) {
          // oxlint-disable-next-line no-await-in-loop -- in their order
          await database.query("INSERT INTO audit_line (seq, line) VALUES ($1, $2)", [
            at + 1,
            line,
          ]);
        }
      },
    };
  });
});
