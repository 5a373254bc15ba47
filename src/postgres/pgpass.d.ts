declare module "pgpass" {
  /** Calls `found` with the password of the file that PGPASSFILE names; undefined if it has none for this connection. */
  export default function pgpass(
    connection: {
      readonly host: string;
      readonly port: number;
      readonly user: string;
      readonly database: string;
    },
    found: (password: string | undefined) => void,
  ): void;
}
