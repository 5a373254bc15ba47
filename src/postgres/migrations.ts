// The tables of a shared backend. docs/decisions/0058-postgresql.md has the reasons.

const REGISTRY = `
-- One row. The id of the last change lets its author find out whether it was made, if the reply was lost.
CREATE TABLE registry (
  only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
  version bigint NOT NULL,
  change_id uuid,
  next_source_id bigint NOT NULL,
  next_monitor_id bigint NOT NULL
);
INSERT INTO registry (version, next_source_id, next_monitor_id) VALUES (0, 1, 1);
CREATE TABLE registry_record (
  kind text NOT NULL,
  key text NOT NULL,
  -- Undefined for a pending deletion.
  namespace text,
  record jsonb NOT NULL,
  PRIMARY KEY (kind, key)
);
CREATE INDEX registry_record_namespace ON registry_record (namespace);`;

const LEASES = `
CREATE TABLE lease (
  namespace text PRIMARY KEY,
  owner uuid NOT NULL,
  held_until timestamptz NOT NULL,
  report text,
  reported_at timestamptz
);`;

const CREDENTIALS = `
-- One row.
CREATE TABLE credential_store (
  only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
  revision bigint NOT NULL,
  change_id uuid,
  -- The latest time that any node has seen, in milliseconds since 1970.
  clock_ms bigint NOT NULL
);
INSERT INTO credential_store (revision, clock_ms) VALUES (0, 0);
CREATE TABLE credential (
  id text PRIMARY KEY,
  -- SHA-256 of the secret, in hex. The secret itself is nowhere.
  digest text NOT NULL UNIQUE,
  record jsonb NOT NULL,
  -- The revision that wrote it last.
  revision bigint NOT NULL
);
CREATE INDEX credential_revision ON credential (revision);
-- One row: the end of the audit log, and the key of its chain.
CREATE TABLE audit_head (
  only_row bool PRIMARY KEY DEFAULT true CHECK (only_row),
  seq bigint NOT NULL,
  mac text NOT NULL,
  chain_key bytea
);
INSERT INTO audit_head (seq, mac) VALUES (0, repeat('0', 64));
CREATE TABLE audit_line (seq bigint PRIMARY KEY, line text NOT NULL);`;

const INDEX = `
-- The state of the index of a namespace. Correctness is the comparison with generation and fence; the lease saves work.
CREATE TABLE index_head (
  namespace text PRIMARY KEY,
  -- Random. Generations of another epoch cannot be compared.
  epoch uuid NOT NULL,
  generation bigint NOT NULL,
  -- The last commit; null before the first.
  commit_id uuid,
  -- The image of the catalogue from which a new node starts, and the generation that it shows.
  base_name text,
  base_generation bigint NOT NULL,
  fence bigint NOT NULL,
  lease_owner uuid,
  lease_until timestamptz,
  damage text
);
CREATE TABLE index_commit (
  namespace text NOT NULL,
  generation bigint NOT NULL,
  -- Lets the writer find out whether its commit was made, if the reply was lost.
  commit_id uuid NOT NULL,
  -- The commit before. After a restore from a backup, other commits have the same generations.
  follows uuid,
  committed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- True if the changes apply to a new base, not to the generation before.
  resets bool NOT NULL,
  changes bytea NOT NULL,
  -- Names of segments.
  added text[] NOT NULL,
  dropped text[] NOT NULL,
  PRIMARY KEY (namespace, generation)
);
ALTER TABLE index_commit ALTER changes SET STORAGE EXTERNAL;
-- Segments and bases: files that never change, in parts.
CREATE TABLE index_object (
  namespace text NOT NULL,
  name text NOT NULL,
  size bigint NOT NULL,
  sha256 bytea NOT NULL,
  -- When a commit dropped it, and its generation; null while it is in use.
  dropped_at timestamptz,
  dropped_generation bigint,
  PRIMARY KEY (namespace, name)
);
CREATE TABLE index_part (
  namespace text NOT NULL,
  name text NOT NULL,
  number int NOT NULL,
  body bytea NOT NULL,
  PRIMARY KEY (namespace, name, number)
);
ALTER TABLE index_part ALTER body SET STORAGE EXTERNAL;`;

const TEXTS = `
-- The content of each indexed file, compressed with Zstandard, by the first 128 bits of its SHA-256.
CREATE TABLE file_content (
  namespace text NOT NULL,
  hash text NOT NULL,
  body bytea NOT NULL,
  stored_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (namespace, hash)
);
ALTER TABLE file_content ALTER body SET STORAGE EXTERNAL;`;

const UPDATES = `
-- Updates of repositories that any index node may do. Requests have numbers from 1 on.
CREATE TABLE repository_update (
  namespace text PRIMARY KEY,
  requested bigint NOT NULL,
  -- The last request that needs no more work. The update is open while it is less than the last request.
  ended bigint NOT NULL DEFAULT 0,
  -- Ids of the sources to fetch; null for every repository.
  sources bigint[],
  rebuild bool NOT NULL,
  run_after timestamptz NOT NULL DEFAULT clock_timestamp(),
  attempts int NOT NULL DEFAULT 0,
  -- The attempt that runs, and the last request that it includes; null if none runs.
  taken_by uuid,
  taken_request bigint,
  taken_until timestamptz,
  progress jsonb,
  -- The last attempt that has ended.
  attempt_request bigint,
  attempt_result jsonb
);
CREATE INDEX repository_update_open ON repository_update (run_after) WHERE requested > ended;
CREATE TABLE index_node (id uuid PRIMARY KEY, name text NOT NULL, seen_at timestamptz NOT NULL);`;

const SEARCH_NODES = `
-- Nodes that search in shards for each other, by the address under which they reach each other.
CREATE TABLE search_node (address text PRIMARY KEY, seen_at timestamptz NOT NULL);
-- One row: by this secret they know each other.
CREATE TABLE node_secret (is_only bool PRIMARY KEY DEFAULT true CHECK (is_only), secret bytea NOT NULL);`;

/** Statements of each migration, in order. Released ones never change. */
export const MIGRATIONS: readonly string[] = [
  REGISTRY + LEASES + CREDENTIALS + INDEX + TEXTS,
  UPDATES,
  SEARCH_NODES,
];
