import { describe, expect, it } from "vitest";

import { importsIn, usesIn } from "../../references/reference-lines.ts";

describe("uses in Terraform", () => {
  it("are the parts of chains that name definitions, without attributes of resources", async () => {
    expect(
      await usesIn(
        "terraform",
        `resource "aws_instance" "web" {
  ami   = data.aws_ami.ubuntu.id
  tags  = merge(local.tags, { (var.key) = aws_vpc.main[0].tags.name, name = "var.no" })
  count = length(module.net[0].subnets[*].id)
  zone  = aws_subnet.all[*].zone.name
  text  = <<-EOT
    var.no \${var.yes} # local.no \${local.yes}
  EOT
  id    = each.value.id == self.id ? path.module : "\${terraform.workspace}-\${var.name}"
  # var.comment
  depends_on = [module.net]
  lists = module.net[*].id[0].zone
}
`,
      ),
    ).toEqual(
      [
        "2 value data.aws_ami.ubuntu",
        "3 value local.tags",
        "3 value var.key",
        "3 value aws_vpc.main",
        "4 value module.net",
        "4 value module.net.subnets",
        "5 value aws_subnet.all",
        "7 value var.yes",
        "7 value local.yes",
        "9 value var.name",
        "11 value module.net",
        "12 value module.net",
        "12 value module.net[].id",
      ].map((use) => `${use.replace("[]", "")} in aws_instance.web`),
    );
  });

  it("do not count the names of loops and iterators, but outputs of the modules that they go through", async () => {
    expect(
      await usesIn(
        "terraform",
        `locals {
  ids = [for key, net in module.net : net.id if key.x != ""]
  all = { for aws_vpc in var.vpcs : aws_vpc.name => aws_vpc.id }
}
resource "aws_group" "main" {
  dynamic "ingress" {
    for_each = var.rules
    content {
      port = ingress.value.port
    }
  }
  dynamic "egress" {
    for_each = var.rules
    iterator = rule
    content {
      port = rule.value.port
      key  = random_id.value.hex
    }
  }
}
`,
      ),
    ).toEqual([
      "2 value module.net in local.ids",
      "2 value module.net[].id in local.ids",
      "3 value var.vpcs in local.all",
      "7 value var.rules in aws_group.main",
      "13 value var.rules in aws_group.main",
      "17 value random_id.value in aws_group.main",
    ]);
  });

  it("are the arguments of module blocks and the settings in files of values", async () => {
    const source = `region = "a"
module "net" {
  source   = "./modules/net"
  for_each = var.nets
  name     = each.key
  tags = {
    name = "x"
  }
}
module "far" {
  source = "\${var.base}/net"
}
module "none" {}
`;
    expect(await usesIn("terraform", source)).toEqual([
      "1 value var.region in region",
      "4 value var.nets in module.net",
      "5 value module.net:.name in module.net",
      "6 value module.net:.tags in module.net",
      "11 value var.base in module.far",
    ]);
    expect(await importsIn("terraform", source)).toEqual(["2 ./modules/net module.net>module.net"]);
  });
});
