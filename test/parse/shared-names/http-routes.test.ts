import { basename } from "node:path";

import { expect, test } from "vitest";

import { httpRoutesIn } from "../../../src/parse/shared-names/http-routes.ts";

/** `line ROUTE`, with "=" before the route where it is handled. */
function routes(path: string, language: string, text: string): readonly string[] {
  const isTest = /test|spec/.test(path);
  return httpRoutesIn({ path, baseName: basename(path), language, text, isTest }).map(
    ({ line, name, isDeclared }) => `${line} ${isDeclared ? "=" : ""}${name}`,
  );
}

test.each([
  [
    "a.ts typescript Express",
    'router.get("/users/:id", load);\napp.post("/users", (req, res) => {});',
    ["1 =GET /users/{}", "2 =POST /users"],
  ],
  [
    "a.js javascript Express, arguments on lines",
    'router.patch(\n  "/users/:id",\n  check,\n  save,\n);',
    ["2 =PATCH /users/{}"],
  ],
  [
    "a.ts typescript a router to be mounted",
    'router.get("/", list);\nrouter.get("/:id", one);',
    ["1 =GET /", "2 =GET /{}"],
  ],
  [
    "a.py python Flask",
    '@app.route("/users/<int:id>", methods=["GET", "POST"])\ndef user(id): ...\n@bp.get("/x")\ndef x(): ...',
    ["1 =GET /users/{}", "1 =POST /users/{}", "3 =GET /x"],
  ],
  [
    "a.py python FastAPI, a prefix of the file",
    'router = APIRouter(prefix="/items", tags=["a"])\n@router.get("/{id}")\ndef item(id): ...',
    ["2 =GET /items/{}"],
  ],
  [
    "a.go go Go",
    'r.GET("/users/:id", h.user)\nhttp.HandleFunc("/ping", ping)\nmux.HandleFunc("POST /users", add)\nr.HandleFunc(base+"/cart", h.cart).Methods(http.MethodGet, http.MethodHead)',
    ["1 =GET /users/{}", "2 =/ping", "3 =POST /users", "4 =GET /cart", "4 =HEAD /cart"],
  ],
  [
    "a.rs rust axum",
    'Router::new()\n    .route("/users", get(list).post(create))\n    .route("/healthz", get(routes::health))',
    ["2 =GET /users", "2 =POST /users", "3 =GET /healthz"],
  ],
  ["a.rs rust actix", '#[get("/users/{id}")]\nasync fn user() {}', ["1 =GET /users/{}"]],
  [
    "routes.rb ruby Rails",
    "get '/users/:id', to: 'users#show'\npost \"/users\" => 'users#create'",
    ["1 =GET /users/{}", "2 =POST /users"],
  ],
  [
    "a.php php Laravel",
    "Route::get('/users/{id}', [UserController::class, 'show']);",
    ["1 =GET /users/{}"],
  ],
  [
    "a.cs csharp ASP.NET, minimal",
    'app.MapPost("/users", (User user) => Save(user));',
    ["1 =POST /users"],
  ],
])("%s handles routes", (where, text, expected) => {
  const [path = "", language = ""] = where.split(" ");
  expect(routes(path, language, text)).toEqual(expected);
});

test.each([
  [
    "a.ts typescript fetch",
    'fetch("/users/12?full=1");\nawait fetch(`${base}/users/${id}`, {\n  method: "DELETE",\n});',
    ["1 /users/{}", "2 DELETE /users/{}"],
  ],
  [
    "a.ts typescript axios",
    'axios.post<User>("https://host.example/users", user);\nhttp.get(`http://localhost:${port}/orders`, {});',
    ["1 POST /users", "2 GET /orders"],
  ],
  ["a.js javascript a text that goes on", 'client.get("/users/" + id)', ["1 GET /users/{}"]],
  [
    "a.py python requests",
    'requests.get(f"{BASE}/users/{id}")\nself.client.post("/cart", {})',
    ["1 GET /users/{}", "2 POST /cart"],
  ],
  [
    "a.go go Go",
    'http.NewRequest("POST", url+"/users", body)\nhttp.Get(fmt.Sprintf("%s/users/%d", base, id))',
    ["1 POST /users", "2 GET /users/{}"],
  ],
  [
    "a.cs csharp HttpClient",
    'await client.GetFromJsonAsync<User>($"/users/{id}");',
    ["1 GET /users/{}"],
  ],
  [
    "app.test.ts typescript a test of a server",
    'await request(app).get("/users/1").expect(200);',
    ["1 GET /users/{}"],
  ],
  [
    "a.ts typescript Cypress",
    'cy.intercept("PATCH", "/users/*").as("update");\ncy.intercept("GET", "/users/search*");',
    ["1 PATCH /users/{}", "2 GET /users/search"],
  ],
])("%s calls routes", (where, text, expected) => {
  const [path = "", language = ""] = where.split(" ");
  expect(routes(path, language, text)).toEqual(expected);
});

test("other paths are no routes", () => {
  const text = [
    'import x from "/lib/x.js";',
    'const file = readFileSync("/etc/passwd");',
    'map.get("/key");',
    'cache.delete("/key", options);',
    '// app.get("/commented", handler)',
    'const path = "/plain";',
    'app.get("/bad path", handler);',
  ].join("\n");
  expect(routes("a.ts", "typescript", text)).toEqual([]);
});
