/** PgBouncer in transaction mode in front of the test server, where Debian's package is installed. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { accessSync, constants } from "node:fs"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, type Scope } from "effect"

const program = "/usr/sbin/pgbouncer"

const isExecutable = (file: string) => {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export const isInstalled: boolean = isExecutable(program)

/** Connections to the server for each database. Fewer than a pool of ours has, so that transactions share them. */
const serverConnections = 8

const settingsOf = (server: URL, port: number, users: string) => `
[databases]
* = host=${server.hostname} port=${server.port || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${serverConnections}
max_client_conn = 1000
server_idle_timeout = 20
`

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const bound = server.address()
      server.close(() => resolve(typeof bound === "object" && bound !== null ? bound.port : 0))
    })
  })

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => socket.end(() => resolve(true)))
    socket.on("error", () => resolve(false))
  })

/** PgBouncer refuses to run as root. */
const asUser = (file: string): readonly [string, ReadonlyArray<string>] =>
  process.getuid?.() === 0
    ? ["setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", program, file]]
    : [program, [file]]

const start = async (url: string) => {
  const server = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), "posthorn-pgbouncer-"))
  await chmod(folder, 0o755)
  const port = await freePort()
  const [settings, users] = [join(folder, "pgbouncer.ini"), join(folder, "users.txt")]
  await writeFile(users, `"${decodeURIComponent(server.username)}" ""\n`)
  await writeFile(settings, settingsOf(server, port, users))
  const [command, args] = asUser(settings)
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] })
  let log = ""
  child.stderr.setEncoding("utf8").on("data", (text) => (log = `${log}${text}`.slice(-10_000)))
  while (!(await answers(port))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended with ${child.exitCode}:\n${log}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return { child, folder, port }
}

const stop = async (child: ChildProcess, folder: string) => {
  const closed = once(child, "exit")
  if (child.exitCode === null && child.kill("SIGKILL")) await closed
  await rm(folder, { recursive: true, force: true })
}

/** The same database through PgBouncer at this port. */
export const through = (url: string, port: number): string => {
  const pooled = new URL(url)
  pooled.hostname = "127.0.0.1"
  pooled.port = String(port)
  return pooled.href
}

/**
 * The same database through the PgBouncer of this test run (`npm run test:pooled`), which has its port in
 * `POSTHORN_TEST_POOLER`. Undefined without one, and for other servers and users than those of the tests.
 */
export const pooledUrl = (url: string): string | undefined => {
  const [port, tested] = [process.env["POSTHORN_TEST_POOLER"], process.env["POSTHORN_TEST_DATABASE_URL"]]
  if (port === undefined || tested === undefined) return undefined
  const [here, there] = [new URL(url), new URL(tested)]
  return here.host === there.host && here.username === there.username ? through(url, Number(port)) : undefined
}

/** The environment of a server: with a pooler, its database is that behind the pooler, and the direct URL the given one. */
export const pooledEnvironment = <Environment extends Readonly<Record<string, string>>>(env: Environment) => {
  const url = env["POSTHORN_DATABASE_URL"]
  if (url === undefined || env["POSTHORN_DATABASE_DIRECT_URL"] !== undefined) return env
  const pooled = pooledUrl(url)
  return pooled === undefined ? env : { ...env, POSTHORN_DATABASE_URL: pooled, POSTHORN_DATABASE_DIRECT_URL: url }
}

/** Starts one in front of the server of this URL, for its user. Returns its port. It ends with the scope. */
export const startPgBouncer = (url: string): Effect.Effect<number, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => start(url)),
      ({ child, folder }) => Effect.promise(() => stop(child, folder))
    ),
    ({ port }) => port
  )
