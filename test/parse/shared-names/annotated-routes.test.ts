import { expect, test } from "vitest";

import { annotatedRoutesIn } from "../../../src/parse/shared-names/annotated-routes.ts";

function routes(language: string, text: string, baseName = "a"): readonly string[] {
  return annotatedRoutesIn({ path: baseName, baseName, language, text, isTest: false }).map(
    ({ line, name, isDeclared }) => `${line} ${isDeclared ? "=" : ""}${name}`,
  );
}

test("Spring: the prefix of the class, several paths, and a method in an argument", () => {
  const text = `@RestController
@RequestMapping("/api/users")
public class UserController {
  @GetMapping("/{id}")
  User one() {}
  @PostMapping(value = "", produces = "application/json")
  User add() {}
  @RequestMapping(path = "/search", method = RequestMethod.GET)
  User find() {}
  @GetMapping({"/a", "/b"})
  User two() {}
}
`;
  expect(routes("java", text)).toEqual([
    "4 =GET /api/users/{}",
    "6 =POST /api/users",
    "8 =GET /api/users/search",
    "10 =GET /api/users/a",
    "10 =GET /api/users/b",
  ]);
});

test("NestJS: a prefix and decorators over several lines", () => {
  const text = `@ApiTags('articles')
@Controller('articles')
@UseGuards(Guard)
export class ArticleController {
  @Get(':slug/comments')
  @ApiOperation({
    summary: 'Get',
  })
  list() {}
  @Delete()
  clear() {}
}
`;
  expect(routes("typescript", text)).toEqual([
    "5 =GET /articles/{}/comments",
    "10 =DELETE /articles",
  ]);
});

test("JAX-RS: the path next to the method", () => {
  const text = `@Path("/users")
public class Users {
  @GET
  @Path("{id}")
  public User one() {}
  @POST
  public User add() {}
}
`;
  expect(routes("java", text)).toEqual(["3 =GET /users/{}", "6 =POST /users"]);
});

test("ASP.NET: the name of the controller", () => {
  const text = `[ApiController]
[Route("api/[controller]")]
public class UsersController : ControllerBase
{
    [HttpGet("{id}")]
    public User Get(int id) {}
    [HttpPost]
    public User Add() {}
}
`;
  expect(routes("csharp", text)).toEqual(["5 =GET /api/users/{}", "7 =POST /api/users"]);
});

test("Retrofit calls, it does not handle", () => {
  const text = 'interface Api {\n  @GET("users/{id}")\n  Call<User> user(@Path("id") int id);\n}\n';
  expect(routes("java", text)).toEqual(["2 GET /users/{}"]);
});

test("Django: only its lists of routes", () => {
  const text =
    'urlpatterns = [\n  path("users/<int:pk>/", user),\n  re_path(r"^old/(?P<id>[0-9]+)/$", old),\n]\n';
  expect(routes("python", text, "urls.py")).toEqual(["2 =/users/{}", "3 =/old/{}"]);
  expect(routes("python", text, "other.py")).toEqual([]);
});

test("annotations of other kinds", () => {
  expect(routes("java", '@Path("x")\nprivate String file;\n@Override\nvoid run() {}\n')).toEqual(
    [],
  );
});
