// `npm run release [-- --dry-run] [FOLDER]` makes everything that a release consists of, in `release` or the folder: the
// tarballs, a bill of materials (CycloneDX), the OpenAPI document, the notes of this version, and
// checksums. Then it publishes the tarballs. A dry run publishes them to a registry on this machine.
import assert from "node:assert/strict"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { startRegistry } from "./registry.mjs"

const root = resolve(import.meta.dirname, "..")
const {
  values: { "dry-run": isDryRun },
  positionals: [given]
} = parseArgs({ options: { "dry-run": { type: "boolean", default: false } }, allowPositionals: true })
const folder = resolve(given ?? join(root, "release"))
const step = (text) => process.stdout.write(`${text}\n`)
const read = (path) => readFileSync(join(root, path), "utf8")

/** What must be so before packages are published. A dry run shows it and goes on. */
const demand = (holds, text) => {
  if (holds) return
  if (!isDryRun) throw new Error(text)
  step(`Before the release: ${text}`)
}

const packages = globSync("{packages/*,adapters/*,cli}/package.json", { cwd: root })
  .map((path) => ({ home: join(path, ".."), ...JSON.parse(read(path)) }))
  .filter((manifest) => manifest.private !== true)
const [version, ...others] = [...new Set(packages.map((manifest) => manifest.version))]
assert.deepEqual(others, [], "All published packages have one version. Run: npx changeset version")
const { repository } = JSON.parse(read("package.json"))

step(`Posthorn ${version}.`)
demand(globSync(".changeset/*.md", { cwd: root }).length === 0, "changesets are left. Run: npx changeset version")
const git = (...args) => spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout ?? ""
demand(git("status", "--porcelain") === "", "the tree has changes. Commit them.")
const [, place] = /^git\+https:\/\/[^/]+\/(.+)\.git$/.exec(repository.url)
demand(
  git("remote", "-v").includes(place),
  `no remote is ${place}, the repository in package.json. Provenance names the repository.`
)

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
step("Tarballs.")
execFileSync(process.execPath, [join(root, ".ci/pack.mjs"), folder], { stdio: "inherit" })

step("A bill of materials.")
const [program] = globSync(`posthorn-${version}.tgz`, { cwd: folder })
const notices = execFileSync("tar", ["-xzOf", join(folder, program), "package/NOTICES"], { encoding: "utf8" })
/** The program contains these libraries, in the versions of package-lock.json. */
const bundled = [...`\n${"-".repeat(80)}\n\n${notices}`.matchAll(/\n-{80}\n\n(\S+) (\d\S*)\n/g)]
  .map(([, name, of]) => ({ name, version: of, purl: `pkg:npm/${name.replace("@", "%40")}@${of}` }))
  .filter(({ name }) => !packages.some((own) => own.name === name))
assert.ok(bundled.length > 10)
const stage = join(folder, "stage")
mkdirSync(stage)
const tarballOf = (name) => `file:../${name.replace("@", "").replace("/", "-")}-${version}.tgz`
writeFileSync(
  join(stage, "package.json"),
  JSON.stringify({
    name: "posthorn-release",
    version,
    dependencies: Object.fromEntries(packages.map(({ name }) => [name, tarballOf(name)]))
  })
)
const npm = (...args) => execFileSync("npm", args, { cwd: stage, encoding: "utf8" })
npm("install", "--silent", "--package-lock-only", "--prefer-offline", "--legacy-peer-deps")
const bill = JSON.parse(npm("sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--legacy-peer-deps"))
const componentOf = ({ name, version: of }) => bill.components.find((one) => one["bom-ref"] === `${name}@${of}`)
for (const one of packages) assert.ok(componentOf(one), `${one.name} is not in the bill of materials.`)
assert.ok(bill.components.some(({ name }) => name === "effect"))
componentOf({ name: "posthorn", version }).components = bundled.map((library) => ({
  "bom-ref": `posthorn@${version}|${library.name}@${library.version}`,
  type: "library",
  ...library
}))
for (const component of bill.components)
  component.externalReferences = component.externalReferences.filter(({ type }) => type !== "distribution")
bill.metadata.component.name = "posthorn-release"
rmSync(stage, { recursive: true })
writeFileSync(join(folder, `posthorn-${version}.cdx.json`), `${JSON.stringify(bill, undefined, 2)}\n`)

step("Notes.")
const notesOf = ({ name, home }) => {
  const [, text] = new RegExp(`\\n## ${version.replaceAll(".", "\\.")}\\n([\\s\\S]*?)(?=\\n## |$)`).exec(
    existsSync(join(root, home, "CHANGELOG.md")) ? read(join(home, "CHANGELOG.md")) : ""
  ) ?? [undefined, ""]
  demand(text !== "", `${home}/CHANGELOG.md has no ${version}.`)
  return `## ${name}\n${text.replace(/\n### (?:Major|Minor|Patch) Changes\n/g, "")}`
}
const inOrder = packages.toSorted((a, b) => Number(b.name === "posthorn") - Number(a.name === "posthorn"))
writeFileSync(join(folder, "NOTES.md"), `# Posthorn ${version}\n\n${inOrder.map(notesOf).join("\n").trim()}\n`)
copyFileSync(join(root, "openapi/openapi.json"), join(folder, `openapi-${version}.json`))

step("Checksums.")
const files = globSync("*", { cwd: folder }).toSorted()
const sumOf = (name) =>
  createHash("sha256")
    .update(readFileSync(join(folder, name)))
    .digest("hex")
writeFileSync(join(folder, "SHA256SUMS"), files.map((name) => `${sumOf(name)}  ${name}\n`).join(""))

step(isDryRun ? "Publishing to a registry on this machine." : "Publishing.")
const registry = isDryRun ? await startRegistry() : undefined
// Registries take provenance only from a build that can identify itself.
const hasIdentity = ["ACTIONS_ID_TOKEN_REQUEST_URL", "SIGSTORE_ID_TOKEN"].some((name) => name in process.env)
if (!isDryRun && !hasIdentity) step("Without provenance, as this is no build that can identify itself.")
const provenance = !isDryRun && hasIdentity ? ["--provenance"] : []
for (const tarball of globSync("*.tgz", { cwd: folder }).toSorted()) {
  const child = spawn("npm", ["publish", "--silent", join(folder, tarball), ...provenance], {
    env: { ...process.env, ...registry?.env },
    stdio: "inherit"
  })
  const [code] = await once(child, "close")
  assert.equal(code, 0, `${tarball} was not published.`)
}
if (registry !== undefined) {
  assert.deepEqual(registry.published.map(({ name }) => name).toSorted(), packages.map(({ name }) => name).toSorted())
  registry.close()
}
step(`${files.length + 1} files in ${basename(folder)}${isDryRun ? ". Nothing left this machine." : "."}`)
