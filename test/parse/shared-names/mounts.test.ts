import { expect, test } from "vitest";

import { mountsIn } from "../../../src/parse/shared-names/mounts.ts";

test.each([
  ["Express", "typescript", 'app.use("/users", userRoutes);', ["/users userRoutes"]],
  ["Express, with a check", "javascript", 'app.use("/api", auth, limit(5), api);', ["/api api"]],
  ["require", "javascript", 'app.use("/users", require("./users"));', ['/users "./users"']],
  ["Hono", "typescript", 'app.route("/books", books)', ["/books books"]],
  ["Fastify", "javascript", 'app.register(users, { prefix: "/users" });', ["/users users"]],
  [
    "FastAPI",
    "python",
    'api.include_router(users.router, prefix="/users", tags=["u"])',
    ["/users users.router"],
  ],
  ["Flask", "python", 'app.register_blueprint(admin, url_prefix="/admin")', ["/admin admin"]],
  ["Django", "python", 'path("users/", include("users.urls")),', ['/users "users.urls"']],
  ["axum", "rust", '.nest("/api", api::routes())', ["/api api::routes"]],
])("%s", (_, language, text, expected) => {
  expect(mountsIn(text, language).map(({ prefix, served }) => `${prefix} ${served}`)).toEqual(
    expected,
  );
});

test("what is mounted without a prefix, or in another language, is none", () => {
  expect(mountsIn('app.use(logger("dev"));\napp.use("/", pages);', "javascript")).toEqual([]);
  expect(mountsIn('app.use("/users", userRoutes);', "ruby")).toEqual([]);
});
