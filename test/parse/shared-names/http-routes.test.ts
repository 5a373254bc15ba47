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
    "Express",
    "a.ts",
    "typescript",
    'router.get("/users/:id", load);\napp.post("/users", (req, res) => {});',
    ["1 =GET /users/{}", "2 =POST /users"],
  ],
  [
    "Express, arguments on lines",
    "a.js",
    "javascript",
    'router.patch(\n  "/users/:id",\n  check,\n  save,\n);',
    ["2 =PATCH /users/{}"],
  ],
  [
    "a router to be mounted",
    "a.ts",
    "typescript",
    'router.get("/", list);\nrouter.get("/:id", one);',
    ["1 =GET /", "2 =GET /{}"],
  ],
  [
    "Flask",
    "a.py",
    "python",
    '@app.route("/users/<int:id>", methods=["GET", "POST"])\ndef user(id): ...\n@bp.get("/x")\ndef x(): ...',
    ["1 =GET /users/{}", "1 =POST /users/{}", "3 =GET /x"],
  ],
  [
    "FastAPI, a prefix of the file",
    "a.py",
    "python",
    'router = APIRouter(prefix="/items", tags=["a"])\n@router.get("/{id}")\ndef item(id): ...',
    ["2 =GET /items/{}"],
  ],
  [
    "Go",
    "a.go",
    "go",
    'r.GET("/users/:id", h.user)\nhttp.HandleFunc("/ping", ping)\nmux.HandleFunc("POST /users", add)\nr.HandleFunc(base+"/cart", h.cart).Methods(http.MethodGet, http.MethodHead)',
    ["1 =GET /users/{}", "2 =/ping", "3 =POST /users", "4 =GET /cart", "4 =HEAD /cart"],
  ],
  [
    "axum",
    "a.rs",
    "rust",
    'Router::new()\n    .route("/users", get(list).post(create))\n    .route("/healthz", get(routes::health))',
    ["2 =GET /users", "2 =POST /users", "3 =GET /healthz"],
  ],
  ["actix", "a.rs", "rust", '#[get("/users/{id}")]\nasync fn user() {}', ["1 =GET /users/{}"]],
  [
    "Rails",
    "routes.rb",
    "ruby",
    "get '/users/:id', to: 'users#show'\npost \"/users\" => 'users#create'",
    ["1 =GET /users/{}", "2 =POST /users"],
  ],
  [
    "Laravel",
    "a.php",
    "php",
    "Route::get('/users/{id}', [UserController::class, 'show']);",
    ["1 =GET /users/{}"],
  ],
  [
    "ASP.NET, minimal",
    "a.cs",
    "csharp",
    'app.MapPost("/users", (User user) => Save(user));',
    ["1 =POST /users"],
  ],
])("%s handles routes", (_, path, language, text, expected) => {
  expect(routes(path, language, text)).toEqual(expected);
});

test.each([
  [
    "fetch",
    "a.ts",
    "typescript",
    'fetch("/users/12?full=1");\nawait fetch(`${base}/users/${id}`, {\n  method: "DELETE",\n});',
    ["1 /users/{}", "2 DELETE /users/{}"],
  ],
  [
    "axios",
    "a.ts",
    "typescript",
    'axios.post<User>("https://host.example/users", user);\nhttp.get(`http://localhost:${port}/orders`, {});',
    ["1 POST /users", "2 GET /orders"],
  ],
  ["a text that goes on", "a.js", "javascript", 'client.get("/users/" + id)', ["1 GET /users/{}"]],
  [
    "requests",
    "a.py",
    "python",
    'requests.get(f"{BASE}/users/{id}")\nself.client.post("/cart", {})',
    ["1 GET /users/{}", "2 POST /cart"],
  ],
  [
    "Go",
    "a.go",
    "go",
    'http.NewRequest("POST", url+"/users", body)\nhttp.Get(fmt.Sprintf("%s/users/%d", base, id))',
    ["1 POST /users", "2 GET /users/{}"],
  ],
  [
    "HttpClient",
    "a.cs",
    "csharp",
    'await client.GetFromJsonAsync<User>($"/users/{id}");',
    ["1 GET /users/{}"],
  ],
  [
    "a test of a server",
    "app.test.ts",
    "typescript",
    'await request(app).get("/users/1").expect(200);',
    ["1 GET /users/{}"],
  ],
  [
    "Cypress",
    "a.ts",
    "typescript",
    'cy.intercept("PATCH", "/users/*").as("update");\ncy.intercept("GET", "/users/search*");',
    ["1 PATCH /users/{}", "2 GET /users/search"],
  ],
])("%s calls routes", (_, path, language, text, expected) => {
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
