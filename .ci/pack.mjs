// `node .ci/pack.mjs FOLDER [PACKAGE...]` builds and packs what is published, one tarball for each package, for all or
// the named ones: plain JavaScript with its types, and the program as a bundle. A clone runs everything from source
// instead.
import { execFileSync } from "node:child_process"
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import { bundle, installed } from "./bundle.mjs"

const root = resolve(import.meta.dirname, "..")
const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) throw new Error("Usage: node .ci/pack.mjs FOLDER [PACKAGE...]")
const target = resolve(folder)

const read = (path) => JSON.parse(readFileSync(path, "utf8"))
const write = (path, content) => writeFileSync(path, `${JSON.stringify(content, undefined, 2)}\n`)

const packages = globSync("{packages/*,adapters/*,cli}/package.json", { cwd: root })
  .map((path) => ({ home: join(root, path, ".."), manifest: read(join(root, path)) }))
  .filter(({ manifest }) => manifest.private !== true)
const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]))

/** Files that only tests need; what an export leads to is published nevertheless, with all that it imports. */
const unshipped = [
  "**/*.test.ts",
  "**/testing",
  "**/*Suite.ts",
  "**/*Fixture.ts",
  "**/*Arbitraries.ts",
  "**/*Testing.ts"
]

const built = (path) => path.replace(/\.ts$/, ".js")
/** Patterns and fixtures are for the tests of this repository. */
const published = (exports = {}) =>
  Object.entries(exports).filter(([name, path]) => !name.includes("*") && !/(?:Fixture|Testing)\.ts$/.test(path))

const entry = (path) => ({ types: path.replace(/\.ts$/, ".d.ts"), default: built(path) })

/** Packages of one release require each other in the same version. */
const exact = (dependencies = {}) =>
  Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, versions.get(name) ?? range]))

const { repository, engines } = read(join(root, "package.json"))
const site = repository.url.replace(/^git\+|\.git$/g, "")

/** What registries show. Provenance compares the repository with that of the build. */
const metadata = (home) => ({
  homepage: `${site}#readme`,
  bugs: `${site}/issues`,
  repository: { ...repository, directory: relative(root, home).replaceAll(sep, "/") },
  publishConfig: { access: "public" },
  engines
})

const library = (
  home,
  { exports, dependencies, peerDependencies, devDependencies, scripts, sideEffects, ...rest }
) => ({
  ...rest,
  ...metadata(home),
  files: ["src", "dist"],
  sideEffects: Array.isArray(sideEffects) ? sideEffects.map(built) : false,
  exports: Object.fromEntries(published(exports).map(([name, path]) => [name, entry(path)])),
  ...(dependencies && { dependencies: exact(dependencies) }),
  ...(peerDependencies && { peerDependencies: exact(peerDependencies) })
})

const wantedByAny = Object.assign({}, ...packages.map(({ manifest }) => manifest.dependencies))

/** The program has no dependency on our packages, because it contains them. */
const program = (home, { bin, dependencies, devDependencies, scripts, ...rest }) => ({
  ...rest,
  ...metadata(home),
  files: ["dist", "NOTICES"],
  bin: Object.fromEntries(Object.keys(bin).map((name) => [name, "./dist/main.js"])),
  dependencies: exact(Object.fromEntries(installed.map((name) => [name, wantedByAny[name]])))
})

/** Only what serves the console is compiled. The pages are built by Vite. */
const isConsole = (home) => home === join(root, "packages/console")

const buildConsole = (home, stage) => {
  execFileSync(process.execPath, [join(home, "build/main.ts")], { stdio: "inherit" })
  cpSync(join(home, "dist"), join(stage, "dist"), { recursive: true })
}

const compile = (home, stage, { exports }) => {
  const config = join(stage, "tsconfig.json")
  const own = join(home, isConsole(home) ? "tsconfig.node.json" : "tsconfig.json")
  write(config, {
    extends: existsSync(own) ? own : join(root, "tsconfig.json"),
    compilerOptions: {
      incremental: false,
      tsBuildInfoFile: null,
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      rootDir: home,
      outDir: stage,
      typeRoots: [join(root, "node_modules/@types")]
    },
    files: published(exports).map(([, path]) => join(home, path)),
    include: isConsole(home) ? [] : [join(home, "src")],
    exclude: unshipped.map((pattern) => join(home, "src", pattern))
  })
  execFileSync(process.execPath, [join(root, "node_modules/@typescript/native/bin/tsc"), "-p", config], {
    stdio: "inherit"
  })
  rmSync(config)
}

/** Files that are found by their path at run time. */
const finish = (stage) => {
  for (const name of globSync("src/**/*.js", { cwd: stage })) {
    const path = join(stage, name)
    const text = readFileSync(path, "utf8")
    const changed = text.replace(/new URL\("(\.[^"]+)\.ts", import\.meta\.url\)/g, 'new URL("$1.js", import.meta.url)')
    if (changed !== text) writeFileSync(path, changed)
  }
}

const buildLibrary = (home, stage, manifest) => {
  compile(home, stage, manifest)
  finish(stage)
  if (isConsole(home)) buildConsole(home, stage)
  for (const path of globSync("src/**/*.d.ts", { cwd: home })) copyFileSync(join(home, path), join(stage, path))
  write(join(stage, "package.json"), library(home, manifest))
}

const buildProgram = async (home, stage, manifest) => {
  await bundle(stage)
  write(join(stage, "package.json"), program(home, manifest))
}

mkdirSync(target, { recursive: true })
for (const { home, manifest } of packages) {
  if (wanted.length > 0 && !wanted.includes(manifest.name)) continue
  const stage = join(target, manifest.name.replace("/", "-"))
  rmSync(stage, { recursive: true, force: true })
  mkdirSync(stage, { recursive: true })
  if (manifest.bin === undefined) buildLibrary(home, stage, manifest)
  else await buildProgram(home, stage, manifest)
  copyFileSync(join(root, "LICENSE"), join(stage, "LICENSE"))
  for (const name of ["README.md", "CHANGELOG.md"])
    if (existsSync(join(home, name))) copyFileSync(join(home, name), join(stage, name))
  execFileSync("npm", ["pack", "--silent", "--pack-destination", target], {
    cwd: stage,
    stdio: ["ignore", "ignore", "inherit"]
  })
  rmSync(stage, { recursive: true })
}
