/**
 * Who may import whom (`npm run imports`): packages import one way, capabilities know each other's services only, and
 * what ships does not import tests. Type imports count like any other.
 *
 * Reading TypeScript takes TypeScript's own parser: without one this tool sees no file and finds no fault, so this file
 * fails then.
 */
import { createRequire } from "node:module"

const { version } = createRequire(import.meta.url)("typescript")
if (!/^[56]\./.test(version)) throw new Error(`dependency-cruiser cannot read TypeScript with typescript ${version}.`)

/** Tests, and what only they use; suites, fixtures and generators of values stand beside what they test. */
const tests = "\\.test\\.ts$|/testing/|(?:Suite|Testing|Arbitraries|Fixture)\\.ts$"

/** Scripts that are run from a clone and never shipped. */
const scripts =
  "^openapi/|^packages/(?:client|docs)/generate|^packages/core/forms-script/generate|^packages/bench/|^examples/"

const unshipped = `${tests}|${scripts}`

const workspace = "^((?:packages|adapters)/[^/]+|cli|openapi|examples)/"

/** What ships under `path` imports, of this repository, only itself and `allowed`. */
const only = (name, path, allowed, comment) => ({
  name,
  comment,
  severity: "error",
  from: { path: `^${path}`, pathNot: unshipped },
  to: { path: workspace, pathNot: [path, ...allowed].map((prefix) => `^${prefix}`) }
})

/** Areas of contract and core, each above those before it; a file at the root composes them. */
const areas = [
  "platform",
  "events",
  "accounts",
  "audience",
  "content",
  "mail",
  "automation",
  "webhooks",
  "insight",
  "service"
]

/** What a person may ask for about themselves shows mail as well. */
const personalData = "^packages/contract/src/audience/contacts/ContactExport\\.ts$"

/** An area imports itself and those below it. */
const areaRules = ["contract", "core"].flatMap((name) =>
  areas.slice(0, -1).map((area, level) => ({
    name: `${name}-${area}`,
    comment: `packages/${name}/src/${area} imports neither the areas above it nor the roots that compose them.`,
    severity: "error",
    from: { path: `^packages/${name}/src/${area}/`, pathNot: [tests, personalData] },
    to: { path: `^packages/${name}/src/(?:(?:${areas.slice(level + 1).join("|")})/|[^/]+\\.ts$)`, pathNot: tests }
  }))
)

const platformFree = "^packages/(?:contract|core|client)/"

export default {
  forbidden: [
    ...areaRules,
    only("contract-imports", "packages/contract/", [], "The contract is the ground: it imports nothing of ours."),
    only(
      "core-imports",
      "packages/core/",
      ["packages/contract/"],
      "Hosts and drivers import the core, not the reverse."
    ),
    only(
      "mailer-smtp-imports",
      "packages/mailer-smtp/",
      ["packages/co(?:re|ntract)/"],
      "It implements a port of the core."
    ),
    only("pglite-imports", "packages/pglite/", ["packages/co(?:re|ntract)/"], "It implements what the core stores by."),
    only("client-imports", "packages/client/src/(?!effect)", [], "It knows the service by openapi.json alone."),
    only(
      "client-effect-imports",
      "packages/client/",
      ["packages/contract/"],
      "The Effect client is built on the contract."
    ),
    only(
      "console-imports",
      "packages/console/",
      ["packages/client/"],
      "The console has no private endpoint: it speaks through the client alone."
    ),
    only(
      "docs-imports",
      "packages/docs/",
      ["packages/co(?:re|ntract)/"],
      "It shows the contract, with the core's templates for HTML."
    ),
    only(
      "mcp-imports",
      "packages/mcp/",
      ["packages/(?:contract|core|docs)/"],
      "It makes tools of the OpenAPI document, and a route of the core's router for hosts."
    ),
    only("node-imports", "adapters/node/", ["packages/"], "A host packages the packages."),
    only(
      "platform-node-imports",
      "packages/platform-node/",
      ["packages/(?:contract|core|pglite)/"],
      "It implements ports of the core."
    ),
    only("embedded-imports", "adapters/embedded/", ["packages/"], "A host packages the packages, not another host."),
    only(
      "cli-imports",
      "cli/",
      ["adapters/node/", "packages/(?:client|contract|core|docs|mcp|platform-node)/"],
      "It starts the server, speaks through the client, and for operators with the core's services on the database."
    ),
    {
      name: "openapi-imports",
      comment: "The document is made from the contract alone.",
      severity: "error",
      from: { path: "^openapi/" },
      to: { path: workspace, pathNot: "^openapi/|^packages/contract/" }
    },
    {
      name: "contract-needs-effect-only",
      comment: "The contract runs wherever Effect does.",
      severity: "error",
      from: { path: "^packages/contract/", pathNot: tests },
      to: { path: "node_modules/", pathNot: "node_modules/effect/" }
    },
    {
      name: "client-needs-nothing",
      comment: "Zero dependencies, but for the entries of Effect and React.",
      severity: "error",
      from: { path: "^packages/client/src/(?!effect|react\\.)", pathNot: tests },
      to: { path: "node_modules/" }
    },
    {
      name: "no-platform",
      comment: "Contract, core and client run in Node, Bun, Deno and where they can in a browser.",
      severity: "error",
      from: { path: platformFree, pathNot: unshipped },
      to: { dependencyTypes: ["core"] }
    },
    {
      name: "no-driver-in-core",
      comment: "Databases, mail transports and platforms come in through ports.",
      severity: "error",
      from: { path: "^packages/core/", pathNot: tests },
      to: { path: "node_modules/(?:@effect|@electric-sql|pg|pg-pool|postgres|nodemailer|smtp-server|undici|ws)/" }
    },
    {
      name: "not-anothers-store",
      comment:
        "A capability uses another's service, never its store: the service holds the rules. service/ cleans up over all. The versions of templates and partials are one mechanism of both.",
      severity: "error",
      from: { path: "^packages/core/src/(?!service/)([^/]+/[^/]+)/", pathNot: tests },
      to: {
        path: "^packages/core/src/.+/[^/]*Store[^/]*\\.ts$",
        pathNot: ["^packages/core/src/(?:$1|content/versions)/", tests]
      }
    },
    {
      name: "by-name-across-packages",
      comment: "Another package is imported by its name, so that its exports map says what is public.",
      severity: "error",
      from: { path: workspace },
      to: { path: workspace, pathNot: "^$1/", dependencyTypesNot: ["aliased-workspace"] }
    },
    {
      name: "by-path-inside-a-package",
      comment: "A package does not import itself by its name.",
      severity: "error",
      from: { path: workspace },
      to: { path: "^$1/(?!node_modules/)", dependencyTypes: ["aliased-workspace"] }
    },
    {
      name: "no-tests-in-what-ships",
      comment: "Nothing that ships imports a test or what is made for tests.",
      severity: "error",
      from: { pathNot: unshipped },
      to: { path: tests, pathNot: "node_modules" }
    },
    {
      name: "declared",
      comment: "What is imported is a dependency in the package's own package.json, or for tests in that of the root.",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] }
    },
    {
      name: "no-dev-dependency-in-what-ships",
      comment:
        "What ships imports dependencies and optional peers, not devDependencies. The pages of the console ship as a build.",
      severity: "error",
      from: { pathNot: `${unshipped}|^packages/console/(?!src/serv)` },
      to: { dependencyTypes: ["npm-dev"], dependencyTypesNot: ["npm-peer"] }
    },
    {
      name: "no-cycle",
      comment:
        "Two files that need each other are one, or hide a third. A route loads its page later, and the page names its route.",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["dynamic-import"] } }
    },
    {
      name: "no-orphan",
      comment:
        "A file that nobody imports and that imports nothing is dead, or its author forgot something. The clock that can be moved is loaded before a program (node --import).",
      severity: "error",
      from: { orphan: true, pathNot: "chaos/MovableClock\\.ts$" },
      to: {}
    },
    {
      name: "resolvable",
      comment: "Every import leads to a file.",
      severity: "error",
      from: {},
      to: { couldNotResolve: true }
    }
  ],
  options: {
    parser: "tsc",
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    doNotFollow: { path: "node_modules" },
    // What a reader of the guides would write in an application of their own, and what Vite builds.
    exclude: { path: "^examples/\\.guides/|^packages/console/dist/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "default"],
      extensions: [".ts", ".tsx", ".js"]
    }
  }
}
