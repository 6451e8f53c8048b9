// `npm run container` builds the image of the Dockerfile with buildah, and runs it as it should be run: as its user, without
// capabilities, on a read-only root, in namespaces of its own. Debian has buildah and mmdebstrap; it needs root. Where the
// base image cannot be pulled, one like it is assembled from packages of Debian and of npm.
import assert from "node:assert/strict"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

const root = resolve(import.meta.dirname, "..")
const step = (text) => process.stdout.write(`${text}\n`)
const place = mkdtempSync(join(tmpdir(), "posthorn-container-"))
const output = (command, ...args) =>
  execFileSync(command, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim()
const npmInstall = (name) => output("npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", place, name)

step("Rules for the Dockerfile.")
npmInstall("dockerfile-utils@0.16.3")
assert.equal(output(join(place, "node_modules/.bin/dockerfile-utils"), "lint", "Dockerfile"), "")

const isMissing = (command) => spawnSync(command, ["--version"], { stdio: "ignore" }).error !== undefined
const skip = (reason) => {
  rmSync(place, { recursive: true, force: true })
  step(`SKIPPED: the image, as ${reason}.`)
  process.exit(0)
}
const missing = ["buildah", "mmdebstrap", "unshare", "nsenter"].filter(isMissing)
if (missing.length > 0) skip(`${missing.join(" and ")} is missing`)
if (process.getuid() !== 0 || spawnSync("unshare", ["--mount", "--pid", "--fork", "true"]).status !== 0)
  skip("it needs root, and namespaces")

const storage = ["--root", join(place, "storage"), "--runroot", join(place, "run")]
const buildah = (...args) => output("buildah", ...storage, ...args)

const dockerfile = readFileSync(join(root, "Dockerfile"), "utf8")
const bases = new Set(Array.from(dockerfile.matchAll(/^FROM (\S+)/gm), ([, name]) => name))
assert.deepEqual([...bases], ["node:24-bookworm-slim"])
const [base] = bases

/** Debian, Node.js and npm at the places and with the user of the image of Node.js. */
const assemble = () => {
  const cache = join(root, "node_modules/.cache/container")
  const system = join(cache, "bookworm.tar")
  if (!existsSync(system)) {
    mkdirSync(cache, { recursive: true })
    const made = spawnSync("mmdebstrap", ["--quiet", "--variant=minbase", "bookworm", system], { stdio: "inherit" })
    if (made.status !== 0) {
      rmSync(system, { force: true })
      skip("neither its base nor packages of Debian can be downloaded")
    }
  }
  npmInstall("npm@11.19.1")
  const container = buildah("from", "scratch")
  buildah("add", container, system, "/")
  buildah("copy", container, process.execPath, "/usr/local/bin/node")
  buildah("copy", container, join(place, "node_modules/npm"), "/usr/local/lib/node_modules/npm")
  const setUp = [
    "ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm",
    "groupadd --gid 1000 node",
    "useradd --uid 1000 --gid node --shell /bin/bash --create-home node"
  ]
  buildah("run", "--isolation", "chroot", container, "--", "sh", "-ec", setUp.join("\n"))
  buildah("commit", "--rm", container, `docker.io/library/${base}`)
}

const isPulled = spawnSync("buildah", [...storage, "pull", "--quiet", `docker.io/library/${base}`], { stdio: "ignore" })
if (isPulled.status === 0) step(`The base is ${base}.`)
else {
  step(`The base is assembled, as ${base} cannot be pulled.`)
  assemble()
}

step("Building the image.")
// The certificates and the cache of this machine, for npm.
const npmrc = join(place, "npmrc")
writeFileSync(npmrc, "cafile=/etc/ssl/certs/ca-certificates.crt\n")
const cacheOfNpm = output("npm", "config", "get", "cache")
execFileSync(
  "buildah",
  [
    ...storage,
    ...["bud", "--isolation", "chroot", "--pull=never", "--format", "docker", "--tag", "posthorn"],
    ...["--volume", "/etc/ssl/certs:/etc/ssl/certs:ro", "--volume", `${npmrc}:/root/.npmrc:ro`],
    ...["--volume", `${cacheOfNpm}:/root/.npm:rw`],
    "."
  ],
  { cwd: root, stdio: ["ignore", "inherit", "inherit"] }
)

const container = buildah("from", "posthorn")
const mounted = buildah("mount", container)
const { config } = JSON.parse(buildah("inspect", "--type", "image", "posthorn")).Docker
step(`The image: ${buildah("images", "--format", "{{.Name}} {{.Size}}").replaceAll("\n", ", ")}.`)
const [user, group] = config.User.split(":")
assert.notEqual(user, "0")
assert.equal(config.StopSignal, "SIGTERM")

const port = 3999
const url = `http://127.0.0.1:${port}`
const settings = [
  ...config.Env,
  `POSTHORN_PORT=${port}`,
  "POSTHORN_HOST=127.0.0.1",
  "POSTHORN_SMTP_URL=smtp://127.0.0.1:1?tls=none",
  `POSTHORN_PUBLIC_URL=${url}`
]
const env = Object.fromEntries(
  settings.map((setting) => [setting.split("=", 1)[0], setting.slice(setting.indexOf("=") + 1)])
)
const asUser = [
  ...["setpriv", `--reuid=${user}`, `--regid=${group}`, "--clear-groups"],
  ...["--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--"]
]
/** The volume begins as a copy of the folder in the image. */
const data = join(place, "data")
output("cp", "--archive", join(mounted, "data"), data)
const mounts = [
  `mount --bind ${mounted} ${mounted}`,
  `mount --options remount,bind,ro ${mounted}`,
  `mount --types proc proc ${mounted}/proc`,
  `mount --rbind /dev ${mounted}/dev`,
  `mount --types tmpfs tmpfs ${mounted}/tmp`,
  `mount --bind ${data} ${mounted}/data`,
  `exec chroot ${mounted} "$@"`
]
step(`Running it as user ${user}, without capabilities, on a read-only root.`)
const program = spawn(
  "unshare",
  ["--mount", "--pid", "--fork", "sh", "-ec", mounts.join("\n"), "sh", ...asUser, ...config.Entrypoint, ...config.Cmd],
  { env, stdio: ["ignore", "inherit", "inherit"] }
)
const ended = once(program, "exit")
/** Process 1 of the container, as seen from here. */
const first = () => readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, "utf8").trim()
const inside = (...args) =>
  spawnSync("nsenter", [`--target=${first()}`, "--mount", "--pid", "--root", "--", ...asUser, ...args], {
    env,
    encoding: "utf8"
  })
try {
  const ready = async () => (await fetch(`${url}/ready`).catch(() => undefined))?.status === 200
  for (let waited = 0; !(await ready()); waited += 1) {
    assert.ok(waited < 120 && program.exitCode === null, "It is not ready.")
    await sleep(500)
  }
  const [form, ...check] = config.Healthcheck.Test
  assert.equal(form, "CMD")
  assert.equal(inside(...check).status, 0)
  assert.equal(inside("id", "-u").stdout.trim(), user)
  for (const path of ["/srv/posthorn/x", "/usr/local/bin/x", "/etc/x"]) assert.notEqual(inside("touch", path).status, 0)
  assert.match(inside("grep", "CapEff", "/proc/1/status").stdout, /\t0+\n/)
  assert.match(inside("cat", "/proc/1/cmdline").stdout, /^node\0.*posthorn\0serve/)
  assert.match(inside("posthorn", "--version").stdout, /\d+\.\d+\.\d+/)
  process.kill(Number(first()), "SIGTERM")
  const [code] = await ended
  assert.equal(code, 0, `SIGTERM ended it with ${code}.`)
  step("It was ready and healthy, and SIGTERM ended it with 0.")
} finally {
  if (program.exitCode === null) process.kill(program.pid, "SIGKILL")
  buildah("umount", container)
  buildah("rm", container)
  rmSync(place, { recursive: true, force: true })
}
