import { expect, test } from "vitest";

import { usersIn } from "../helpers/reference-users.ts";

const MODULE = `variable "name" {}
variable "tags" {}
output "id" {
  value = aws_vpc.main.id
}
resource "aws_vpc" "main" {
  name = var.name
  tags = var.tags
}
`;

const FILES = {
  "main.tf": `module "net" {
  source = "./modules/net"
  count  = 2
  name   = var.name
  tags   = local.tags
  other  = 1
}
module "far" {
  source = "terraform-aws-modules/vpc/aws"
  name   = var.name
}
resource "aws_instance" "web" {
  net = [module.net[0].id, module.far.id, module.gone.id]
}
locals {
  tags = { name = var.name }
}
`,
  "variables.tf": `variable "name" {}\nvariable "zone" {}\n`,
  "outputs.tf": `output "id" {
  value = aws_instance.web.id
}
output "nets" {
  value = [for net in module.net : net.id]
}
`,
  "terraform.tfvars": `name = "x"\n`,
  "env/prod.tfvars": `name = "y"\nzone = "a"\n`,
  "modules/net/main.tf": MODULE,
  "modules/other/main.tf": MODULE,
  "live/terragrunt.hcl": `locals {
  name = "x"
}
inputs = { name = local.name, zone = var.zone }
`,
};

test("names belong to one folder, and to the modules that it calls", async () => {
  const users = await usersIn(FILES);
  const own = {
    "var.name": "variables.tf",
    "module.net": "main.tf",
    "local.tags": "main.tf",
    "aws_instance.web": "main.tf",
    "output.id": "outputs.tf",
  };
  const found = Object.entries(own).map(
    async ([name, path]) => [name, await users(name, path)] as const,
  );
  expect(Object.fromEntries(await Promise.all(found))).toEqual({
    "var.name": [
      "env/prod.tfvars:1 value ?",
      "main.tf:4 value",
      "main.tf:10 value",
      "main.tf:16 value",
      "terraform.tfvars:1 value",
    ],
    "module.net": ["main.tf:13 value", "outputs.tf:5 value"],
    "local.tags": ["main.tf:5 value"],
    "aws_instance.web": ["outputs.tf:2 value"],
    "output.id": [],
  });
  expect(await users("var.zone")).toEqual(["env/prod.tfvars:2 value ?"]);
  expect(await users("local.name")).toEqual(["live/terragrunt.hcl:4 value"]);
});

test("arguments and outputs lead into the folder of a module, not into its copy", async () => {
  const users = await usersIn(FILES);
  const net = "modules/net/main.tf";
  expect(await users("var.name", net)).toEqual(["main.tf:4 value", `${net}:7 value`]);
  expect(await users("var.tags", net)).toEqual(["main.tf:5 value", `${net}:8 value`]);
  expect(await users("output.id", net)).toEqual(["main.tf:13 value", "outputs.tf:5 value"]);
  expect(await users("aws_vpc.main", net)).toEqual([`${net}:4 value`]);
  const other = "modules/other/main.tf";
  expect(await users("var.tags", other)).toEqual([`${other}:8 value`]);
  expect(await users("output.id", other)).toEqual([]);
});

test("a value of another folder may set a variable of the nearest folder around, or of a few modules", async () => {
  const tags = 'variable "tags" {}\n';
  const many = Array.from({ length: 11 }, (_, at) => [`many/${at}/main.tf`, 'variable "zone" {}']);
  const users = await usersIn({
    "one/main.tf": tags,
    "two/main.tf": tags,
    "two/env/deep/x.tfvars": 'tags = "x"',
    "values/x.tfvars": 'tags = "x"\nzone = "y"\n',
    ...Object.fromEntries(many),
  });
  expect(await users("var.tags", "one/main.tf")).toEqual(["values/x.tfvars:1 value ?"]);
  expect(await users("var.tags", "two/main.tf")).toEqual([
    "two/env/deep/x.tfvars:1 value ?",
    "values/x.tfvars:1 value ?",
  ]);
  expect(await users("var.zone", "many/1/main.tf")).toEqual([]);
});
