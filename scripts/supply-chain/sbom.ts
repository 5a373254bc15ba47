// The bill of materials of the executable, in CycloneDX 1.6 (cyclonedx.org/docs/1.6/json).
import type { Component } from "./components.ts";

export interface Product {
  readonly version: string;
  /** Of the executable. */
  readonly sha256: string;
  /** `linux-x64`. */
  readonly platform: string;
}

/** The members that tests read. */
interface SbomDocument {
  readonly components: readonly object[];
  readonly dependencies: readonly Dependency[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

const TYPES: Readonly<Record<Component["kind"], string>> = {
  package: "library",
  grammar: "library",
  addon: "library",
  crate: "library",
  runtime: "platform",
  model: "machine-learning-model",
};

/** Without a time and a serial number, so that the same build has the same content. */
export function sbom(
  components: readonly Component[],
  { version, sha256, platform }: Product,
): SbomDocument {
  const product = `pkg:generic/svc@${version}?platform=${platform}`;
  const described = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": product,
        name: "svc",
        version,
        purl: product,
        licenses: [{ license: { id: "MIT" } }],
        hashes: [{ alg: "SHA-256", content: sha256 }],
      },
    },
  };
  const direct = components.filter(({ kind }) => kind !== "crate");
  return {
    ...described,
    components: components.map(componentOf),
    dependencies: [{ ref: product, dependsOn: direct.map(refOf) }, ...linkedInto(components)],
  };
}

function componentOf(component: Component): object {
  const { kind, name, version, license, purl, hash } = component;
  return {
    type: TYPES[kind],
    "bom-ref": refOf(component),
    name,
    version,
    purl,
    licenses: [license.includes(" ") ? { expression: license } : { license: { id: license } }],
    ...(hash === undefined ? {} : { hashes: [{ alg: hash.algorithm, content: hash.value }] }),
  };
}

function linkedInto(components: readonly Component[]): readonly Dependency[] {
  const addon = components.find(({ kind }) => kind === "addon");
  if (addon === undefined) return [];
  const crates = components.filter(({ kind }) => kind === "crate");
  return [{ ref: refOf(addon), dependsOn: crates.map(refOf) }];
}

function refOf({ purl }: Component): string {
  return purl;
}
