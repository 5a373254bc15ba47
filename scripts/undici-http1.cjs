// In place of undici's HTTP/2 in the bundle, 33 KB of code. svc speaks HTTP/1.1 everywhere: each of its agents and pools has
// `allowH2: false`, so no server is offered HTTP/2.

module.exports = function connectH2() {
  throw new Error(
    "The program has no HTTP/2. Set allowH2: false where undici's agents and pools are made.",
  );
};
