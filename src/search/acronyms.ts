// Acronyms of programming, each with the words that it abbreviates in their order. Acronyms that nobody spells out
// (HTML, URL, API) are left out.

const LINES = `
acl access control list
ast abstract syntax tree
bfs breadth first search
cas compare and swap
ci continuous integration
cors cross origin resource sharing
crc cyclic redundancy check
crud create read update delete
csp content security policy
csr certificate signing request
csrf cross site request forgery
cte common table expression
dag directed acyclic graph
ddl data definition language
dfs depth first search
di dependency injection
dsl domain specific language
dto data transfer object
etl extract transform load
ffi foreign function interface
fk foreign key
fsm finite state machine
fts full text search
gc garbage collection
gc garbage collector
hmr hot module replacement
hsts http strict transport security
i18n internationalization
ioc inversion of control
ipc inter process communication
jit just in time
jwt json web token
k8s kubernetes
l10n localization
lru least recently used
lsp language server protocol
mfa multi factor authentication
mitm man in the middle
mru most recently used
mtu maximum transmission unit
mvcc multi version concurrency control
orm object relational mapping
orm object relational mapper
otp one time password
pk primary key
pki public key infrastructure
poc proof of concept
pubsub publish subscribe
raii resource acquisition is initialization
rbac role based access control
rce remote code execution
repl read eval print loop
rfc request for comments
rpc remote procedure call
rss resident set size
rtt round trip time
sgd stochastic gradient descent
sla service level agreement
spa single page application
sri subresource integrity
ssa static single assignment
sse server sent event
sso single sign on
ssr server side rendering
ssrf server side request forgery
tdd test driven development
tls transport layer security
toc table of contents
tofu trust on first use
totp time based one time password
ttl time to live
tui terminal user interface
udf user defined function
vcs version control system
vm virtual machine
waf web application firewall
wal write ahead log
xss cross site scripting
xxe xml external entity
`;

/** Acronym and its words, all in lower case. An acronym may occur twice. */
export const ACRONYMS: readonly (readonly [string, readonly string[]])[] = LINES.trim()
  .split("\n")
  .map((line) => {
    const [acronym = "", ...words] = line.split(" ");
    return [acronym, words];
  });
