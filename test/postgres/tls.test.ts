// A database at an address that is not loopback: svc sends nothing before the server has proved who it is.

import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { certificate, type Certificate } from "../helpers/certificate.ts";
import { needs } from "../helpers/needs.ts";
import { startPostgres, type PostgresServer } from "../helpers/postgres-server.ts";
import { tree } from "../helpers/tree.ts";

/** An address of this machine that svc does not count as loopback. */
const ADDRESS = "0.0.0.0";

needs(["postgres", "openssl"], () => {
  test("a connection to another machine is encrypted, and the certificate names its host", async () => {
    const trusted = certificate(`IP:${ADDRESS}`);
    const { server, urlOf } = await serverWith(trusted);
    const database = server.open(urlOf(fileOf(trusted.cert)));
    expect(
      await database.query("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()"),
    ).toEqual([{ ssl: true }]);
  });

  test("a database with a certificate for another host, of an unknown authority or without TLS is refused", async () => {
    const [own, other] = [certificate(`IP:${ADDRESS}`), certificate("DNS:localhost")];
    const named = await serverWith(own);
    const misnamed = await serverWith(other);
    const bare = await serverWith();
    const databases = [
      named.server.open(named.urlOf()),
      named.server.open(named.urlOf(fileOf(other.cert))),
      misnamed.server.open(misnamed.urlOf(fileOf(other.cert))),
      bare.server.open(bare.urlOf(fileOf(own.cert))),
    ];
    for (const database of databases) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(database.query("SELECT 1")).rejects.toMatchObject({
        code: "BACKEND_UNAVAILABLE",
        message: expect.stringContaining("no trusted TLS connection"),
        hint: expect.stringContaining("sslrootcert=FILE"),
      });
    }
  });

  test("a file of authorities that is missing, or has no certificate, is named", async () => {
    const trusted = certificate(`IP:${ADDRESS}`);
    const { server, urlOf } = await serverWith(trusted);
    const [missing, empty] = ["/no/such/ca.pem", fileOf(Buffer.from("not a certificate"))];
    for (const file of [missing, empty]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await expect(server.open(urlOf(file)).query("SELECT 1")).rejects.toMatchObject({
        code: "BACKEND_UNAVAILABLE",
        message: expect.stringContaining(file),
        hint: expect.stringContaining("sslrootcert"),
      });
    }
  });
});

async function serverWith(
  pair?: Certificate,
): Promise<{ server: PostgresServer; urlOf: (rootCertificates?: string) => string }> {
  const server = await startPostgres(pair);
  onTestFinished(server.stop);
  const urlOf = (file?: string): string => {
    const url = server.freshUrl().replace("127.0.0.1", ADDRESS);
    return file === undefined ? url : `${url}&sslrootcert=${encodeURIComponent(file)}`;
  };
  return { server, urlOf };
}

function fileOf(content: Buffer): string {
  const { path, dispose } = tree();
  onTestFinished(dispose);
  const file = join(path, "ca.pem");
  writeFileSync(file, content);
  return file;
}
