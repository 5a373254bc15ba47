#!/bin/sh
# Creates an authority and the certificates of both databases in the folder certificates/. svc verifies the host names.
set -eu
cd "$(dirname "$0")"
mkdir -p certificates
cd certificates
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 \
  -subj "/CN=svc team" -keyout authority.key -out authority.crt
for host in db1 db2; do
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$host" \
    -keyout "$host.key" -out "$host.csr"
  printf 'subjectAltName=DNS:%s\n' "$host" > "$host.ext"
  openssl x509 -req -in "$host.csr" -days 825 -CA authority.crt -CAkey authority.key -CAcreateserial \
    -extfile "$host.ext" -out "$host.crt"
  rm "$host.csr" "$host.ext"
done
