// The parts of undici that the program uses, for the bundle. Its index also loads mocks, caches, WebSocket and
// EventSource, 300 KB.

const Dispatcher = require("../node_modules/undici/lib/dispatcher/dispatcher.js");

// As in its index: `request` and similar functions.
Object.assign(Dispatcher.prototype, require("../node_modules/undici/lib/api/index.js"));

exports.Agent = require("../node_modules/undici/lib/dispatcher/agent.js");
exports.Pool = require("../node_modules/undici/lib/dispatcher/pool.js");
exports.fetch = require("../node_modules/undici/lib/web/fetch/index.js").fetch;
