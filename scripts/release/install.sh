#!/bin/sh
# Installs svc from the folder that this file is in; needs no network. sh install.sh --help
set -eu

usage() {
  cat <<'TEXT'
Usage: sh install.sh [--prefix DIR] [--public-key KEY] [--uninstall]

Installs the svc of this folder that fits this machine, with its man pages and completions.

  --prefix DIR      Install below DIR: bin/, share/. (default ~/.local)
  --public-key KEY  Install only if this key of minisign signed SHA256SUMS; needs minisign. KEY is
                    the key or its file.
  --uninstall       Take away what was installed below DIR. Indexes, settings and credentials stay.
  -h, --help        Show this.
TEXT
}

fail() {
  printf 'install.sh: %s\n' "$1" >&2
  exit "${2:-1}"
}

sha256_of() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum <"$1" | cut -d ' ' -f 1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 <"$1" | cut -d ' ' -f 1
  else
    fail "neither sha256sum nor shasum is installed, so the files cannot be checked: install coreutils."
  fi
}

# verify NAME: against the line of SHA256SUMS that names it.
verify() {
  wanted=$(awk -v name="$1" '$2 == name || $2 == "*" name { print $1 }' "$folder/SHA256SUMS")
  [ -n "$wanted" ] || fail "SHA256SUMS does not name $1: download the release again."
  actual=$(sha256_of "$folder/$1") || exit
  [ "$actual" = "$wanted" ] ||
    fail "$1 is damaged or not the released file: its SHA-256 is $actual, SHA256SUMS has $wanted. Nothing was installed; download it again."
}

# Without a key nobody can say who signed: a key in this folder would come from the same place as the files.
verify_signature() {
  if [ -z "$key" ]; then
    [ ! -f "$folder/SHA256SUMS.minisig" ] ||
      echo "The signature of this release was not verified: see --public-key."
    return
  fi
  command -v minisign >/dev/null 2>&1 ||
    fail "minisign is not installed, so the signature cannot be verified: install minisign, or leave out --public-key."
  [ -f "$folder/SHA256SUMS.minisig" ] || fail "the release is not signed: there is no SHA256SUMS.minisig in $folder."
  if [ -f "$key" ]; then option=-p; else option=-P; fi
  minisign -V -q "$option" "$key" -m "$folder/SHA256SUMS" -x "$folder/SHA256SUMS.minisig" ||
    fail "SHA256SUMS is not signed by this key. Nothing was installed; get the release again from its publisher."
}

platform() {
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "there is no svc for $(uname -s) here. On Windows use the .exe; elsewhere the npm package, with Node 24 or later." ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) processor=x64 ;;
    aarch64 | arm64) processor=arm64 ;;
    *) fail "there is no svc for $(uname -m) processors. Use the npm package, with Node 24 or later." ;;
  esac
  echo "$system-$processor"
}

# The file of the release for this platform, uncompressed or compressed.
released_file() {
  found=
  for candidate in "$folder"/svc-*-"$1" "$folder"/svc-*-"$1".gz; do
    [ -f "$candidate" ] || continue
    case "$found" in
      '') found=$candidate ;;
      "${candidate%.gz}") ;;
      *) fail "there are several releases in $folder: $(basename "$found"), $(basename "$candidate"). Keep one." ;;
    esac
  done
  [ -n "$found" ] || fail "there is no svc-VERSION-$1 in $folder. Use the npm package, with Node 24 or later."
  basename "$found"
}

# put MODE FILE COMMAND …: writes the output of the command to FILE in one step, even while an older one is running.
put() {
  mode=$1
  file=$2
  shift 2
  mkdir -p "$(dirname "$file")" || fail "cannot create $(dirname "$file"): choose another --prefix."
  temporary="$file.new.$$"
  trap 'rm -f "$temporary"' EXIT
  "$@" >"$temporary" || fail "cannot write $file: check free space and permissions, or choose another --prefix."
  chmod "$mode" "$temporary"
  mv -f "$temporary" "$file"
  trap - EXIT
}

# share_place FILE: the path of a manual page or a completion below the prefix.
share_place() {
  case "$1" in
    man/*.1) echo "share/man/man1/${1#man/}" ;;
    completions/_svc | completions/svc.zsh) echo "share/zsh/site-functions/_svc" ;;
    completions/svc.bash) echo "share/bash-completion/completions/svc" ;;
    completions/svc.fish) echo "share/fish/vendor_completions.d/svc.fish" ;;
    *) ;;
  esac
}

install_svc() {
  [ -f "$folder/SHA256SUMS" ] || fail "there is no SHA256SUMS next to this file: download the whole release."
  verify_signature
  name=$(released_file "$(platform)")
  # All is checked before anything is written.
  verify "$name"
  shared=
  for file in "$folder"/man/*.1 "$folder"/completions/*; do
    [ -f "$file" ] || continue
    relative=${file#"$folder"/}
    [ -n "$(share_place "$relative")" ] || continue
    verify "$relative"
    shared="$shared $relative"
  done

  case "$name" in
    *.gz) put 755 "$prefix/bin/svc" gzip -dc "$folder/$name" ;;
    *) put 755 "$prefix/bin/svc" cat "$folder/$name" ;;
  esac
  # Names of pages have no spaces.
  for relative in $shared; do
    put 644 "$prefix/$(share_place "$relative")" cat "$folder/$relative"
  done
  case "$name" in
    *-darwin-*) needed="macOS 13.5 or later" ;;
    *) needed="glibc 2.28 or later (on Alpine, use the npm package)" ;;
  esac
  version=$("$prefix/bin/svc" --version) ||
    fail "$prefix/bin/svc is installed but does not run here; it needs $needed."

  echo "svc $version is installed: $prefix/bin/svc"
  case ":${PATH:-}:" in
    *":$prefix/bin:"*) svc=svc ;;
    *)
      svc=$prefix/bin/svc
      echo "$prefix/bin is not in your PATH. To add it, put this line in the start-up file of your shell:"
      echo "  export PATH=\"$prefix/bin:\$PATH\""
      ;;
  esac
  echo "Next:"
  echo "  $svc install CLIENT          add it to your editor; \`$svc install\` lists the clients"
  echo "  $svc search \"a question\"     search the current project"
}

uninstall_svc() {
  removed=0
  for file in "$prefix/bin/svc" "$prefix"/share/man/man1/svc.1 "$prefix"/share/man/man1/svc-*.1 \
    "$prefix/share/zsh/site-functions/_svc" "$prefix/share/bash-completion/completions/svc" \
    "$prefix/share/fish/vendor_completions.d/svc.fish"; do
    if [ -e "$file" ] || [ -L "$file" ]; then
      rm -f "$file" || fail "cannot remove $file."
      removed=$((removed + 1))
    fi
  done
  [ "$removed" -gt 0 ] || fail "there is no svc below $prefix. Was it installed with another --prefix?"
  echo "svc is removed from $prefix ($removed files). Indexes, settings and credentials are kept."
}

prefix=
key=
action=install_svc
while [ $# -gt 0 ]; do
  case "$1" in
    --prefix)
      prefix=${2:-}
      [ -n "$prefix" ] || fail "--prefix needs a folder." 2
      shift
      ;;
    --prefix=?*) prefix=${1#--prefix=} ;;
    --public-key)
      key=${2:-}
      [ -n "$key" ] || fail "--public-key needs a key or a file." 2
      shift
      ;;
    --public-key=?*) key=${1#--public-key=} ;;
    --uninstall) action=uninstall_svc ;;
    -h | --help)
      usage
      exit 0
      ;;
    *) fail "\"$1\" is not an option; see sh install.sh --help." 2 ;;
  esac
  shift
done
if [ -z "$prefix" ]; then
  [ -n "${HOME:-}" ] || fail "HOME is not set: choose a folder with --prefix DIR." 2
  prefix=$HOME/.local
fi
case "$prefix" in
  /*) ;;
  *) prefix=$(pwd)/$prefix ;;
esac
folder=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
$action
