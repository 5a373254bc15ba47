#!/bin/sh
# Starts PostgreSQL as the host db1 (the primary) or db2 (its synchronous standby). The argument is the name of the host.
# Reads DATABASE_PASSWORD. The certificates are in /certificates.
set -eu
host=$1
install -o postgres -g postgres -m 600 "/certificates/$host.key" /var/lib/postgresql/server.key
install -o postgres -g postgres -m 644 "/certificates/$host.crt" /var/lib/postgresql/server.crt
as_postgres() { gosu postgres "$@"; }
export PGPASSWORD="$DATABASE_PASSWORD"

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  install -d -o postgres -g postgres -m 700 "$PGDATA"
  if [ "$host" = db1 ]; then
    password=$(as_postgres mktemp)
    printf '%s\n' "$DATABASE_PASSWORD" > "$password"
    as_postgres initdb --auth=scram-sha-256 --username=postgres --pwfile="$password"
    rm "$password"
    cat >> "$PGDATA/pg_hba.conf" <<EOF
hostssl svc svc all scram-sha-256
hostssl replication replicator all scram-sha-256
EOF
    cat >> "$PGDATA/postgresql.auto.conf" <<EOF
listen_addresses = '*'
ssl = on
ssl_cert_file = '/var/lib/postgresql/server.crt'
ssl_key_file = '/var/lib/postgresql/server.key'
synchronous_standby_names = 'db2'
max_connections = 300
EOF
    # Without a standby yet, a commit would wait for it.
    as_postgres pg_ctl start --wait --options="-c synchronous_standby_names= -c listen_addresses="
    as_postgres psql --username=postgres --set=password="$DATABASE_PASSWORD" <<'EOF'
CREATE ROLE svc LOGIN PASSWORD :'password';
CREATE DATABASE svc OWNER svc;
CREATE ROLE replicator REPLICATION LOGIN PASSWORD :'password';
SELECT pg_create_physical_replication_slot('db2');
EOF
    as_postgres pg_ctl stop --wait
  else
    until as_postgres pg_basebackup --pgdata="$PGDATA" --wal-method=stream --slot=db2 \
      --write-recovery-conf --dbname="host=db1 user=replicator application_name=db2 sslmode=verify-full sslrootcert=/certificates/authority.crt"; do
      sleep 1
    done
  fi
fi
exec gosu postgres postgres
