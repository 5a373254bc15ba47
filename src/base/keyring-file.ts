/** The suffix of the keychain addon's package, by platform and processor. */
const KEYRING_BUILDS: Readonly<Record<string, string>> = {
  "darwin-arm64": "darwin-arm64",
  "darwin-x64": "darwin-x64",
  "linux-arm64": "linux-arm64-gnu",
  "linux-x64": "linux-x64-gnu",
  "win32-arm64": "win32-arm64-msvc",
  "win32-x64": "win32-x64-msvc",
};

/** The path of the keychain addon below `node_modules`; undefined for a platform without one. */
export function keyringFile(platform = `${process.platform}-${process.arch}`): string | undefined {
  const build = KEYRING_BUILDS[platform];
  return build === undefined ? undefined : `@napi-rs/keyring-${build}/keyring.${build}.node`;
}
