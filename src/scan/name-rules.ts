// Decides from names alone which files and folders to skip.

import { documentFormatOf, MAX_DOCUMENT_BYTES } from "../base/documents/document-formats.ts";
import { extensionOf } from "./classify.ts";
import type { SkipReason } from "./skip-reasons.ts";

/** Folders of dependencies and caches, skipped even if no ignore file names them. */
const DEPENDENCY_FOLDERS = new Set([
  "node_modules",
  "bower_components",
  "__pycache__",
  ".venv",
  ".tox",
  ".nox",
  ".mypy_cache",
  ".pytest_cache",
  ".ruff_cache",
  ".terraform",
]);

/** In lower case, like all names here. */
const SECRET_NAMES = new Set([
  ".env",
  ".envrc",
  ".npmrc",
  ".netrc",
  "_netrc",
  ".pypirc",
  ".pgpass",
  ".my.cnf",
  ".htpasswd",
  ".git-credentials",
  ".dockercfg",
  ".dockerconfigjson",
  ".s3cfg",
  ".boto",
  ".vault-token",
  "kubeconfig",
  "credentials",
  "credentials.json",
  "credentials.yml",
  "credentials.yaml",
  "credentials.toml",
  "credentials.tfrc.json",
  ".terraformrc",
  "terraform.rc",
  ".mylogin.cnf",
  "pgpass.conf",
  "rclone.conf",
  ".dev.vars",
  ".vault_pass",
  ".vault-pass",
  ".vault_password",
  ".bash_history",
  ".zsh_history",
  ".sh_history",
  ".psql_history",
  ".mysql_history",
  ".rediscli_history",
  ".sqlite_history",
  ".node_repl_history",
  ".python_history",
  "application_default_credentials.json",
]);

const SECRET_EXTENSIONS = words(
  "env pem key p12 p8 pk8 pfx pkcs12 ppk jks bks keystore keytab kdb kdbx agekey tfstate kubeconfig ovpn",
);

/** Names with a variable part. Public keys (`id_rsa.pub`) reveal who has access, so they are skipped too. */
const SECRET_PATTERN =
  /^(?:\.env(?:rc)?[._-]|id_(?:rsa|dsa|ecdsa|ed25519)(?:[._-]|$)|ssh_host_\w+_key|client_secret.*\.json$|.*service[-_]?account.*\.json$|.*firebase-adminsdk.*\.json$|secrets?\.(?:json|ya?ml|toml|ini|properties|xml|tfvars)$)/;
const SECRET_PART = ".tfstate.";
/** Paths whose folder shows that a file is secret. */
const SECRET_PATH =
  /(?:^|\/)(?:\.(?:ssh|gnupg|password-store)\/|\.kube\/config$|\.docker\/config\.json$)/;

/** Names of templates: they show the form of a secret file and contain no secret. */
const TEMPLATE = /(?:^|[._-])(?:example|sample|template|dist|defaults?)(?:[._-]|$)/;

const LOCK_NAMES = new Set([
  "package-lock.json",
  "npm-shrinkwrap.json",
  "yarn.lock",
  "pnpm-lock.yaml",
  "bun.lock",
  "deno.lock",
  "cargo.lock",
  "go.sum",
  "go.work.sum",
  "composer.lock",
  "gemfile.lock",
  "podfile.lock",
  "pipfile.lock",
  "poetry.lock",
  "pdm.lock",
  "pixi.lock",
  "uv.lock",
  "flake.lock",
  "mix.lock",
  "rebar.lock",
  "pubspec.lock",
  "conan.lock",
  "gradle.lockfile",
  "packages.lock.json",
  "package.resolved",
  "cartfile.resolved",
  "module.bazel.lock",
  ".terraform.lock.hcl",
  "cabal.project.freeze",
  "stack.yaml.lock",
]);

const MINIFIED_OR_MAP = /(?:[.-]min\.(?:js|mjs|cjs|css|html)|\.map)$/;

const BINARY_EXTENSIONS = words(`
  png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd ai xcf sketch fig
  mp3 mp4 m4a m4v wav flac ogg oga ogv opus webm mov avi mkv wmv aac mid midi
  zip gz tgz bz2 tbz xz txz zst lz4 lzma 7z rar tar jar war ear aar apk ipa deb rpm dmg iso img cab msi whl egg gem nupkg crate vsix
  exe dll so dylib a o obj lib pdb bin com elf class pyc pyo pyd wasm node beam rlib rmeta ko dex ilk exp
  doc xls ppt rtf mobi pages numbers
  ttf otf woff woff2 eot fon pfb
  db sqlite sqlite3 mdb accdb frm ibd dbf rdb dump parquet avro orc feather arrow h5 hdf5 npy npz mat pkl pickle joblib rds rdata
  onnx pb tflite pt pth safetensors gguf ggml ckpt caffemodel
  glb fbx blend 3ds max dwg stl ply usdz unitypackage uasset umap
  swf fla cur ani lockb snk crt cer der gpg sig asc p7b p7s mo gmo qm pack idx res resources nib car xcuserstate
`);

/** Returns the size in bytes above which a file of this name is not read. `limit`: that of text files. */
export function maxBytesOf(name: string, limit: number): number {
  return documentFormatOf(name) === undefined ? limit : Math.max(limit, MAX_DOCUMENT_BYTES);
}

/** Whether a folder of this name contains dependencies or a cache. */
export function isDependencyFolder(name: string): boolean {
  return DEPENDENCY_FOLDERS.has(name);
}

/** Returns the first reason to skip a file, by its path relative to the source's root; undefined if there is none. */
export function skipReasonOfPath(path: string): SkipReason | undefined {
  const slash = path.lastIndexOf("/");
  if (slash > 0 && path.includes(".") && SECRET_PATH.test(path)) return "secret";
  return skipReasonOfName(path.slice(slash + 1));
}

/** Returns the first reason in the name alone; undefined if there is none. */
function skipReasonOfName(name: string): SkipReason | undefined {
  const lower = name.toLowerCase();
  const extension = extensionOf(lower);
  if (isSecretName(lower, extension)) return "secret";
  if (LOCK_NAMES.has(lower) || MINIFIED_OR_MAP.test(lower)) return "generated";
  if (BINARY_EXTENSIONS.has(extension)) return "binary";
  return undefined;
}

function isSecretName(lower: string, extension: string): boolean {
  if (
    !SECRET_NAMES.has(lower) &&
    !SECRET_EXTENSIONS.has(extension) &&
    !SECRET_PATTERN.test(lower) &&
    !lower.includes(SECRET_PART)
  ) {
    return false;
  }
  return !TEMPLATE.test(lower);
}

function words(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}
