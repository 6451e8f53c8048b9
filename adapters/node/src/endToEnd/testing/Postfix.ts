/**
 * A private Postfix on loopback and in a temporary folder: it accepts messages, queues them and relays them to one
 * peer. The configuration and the queue of the machine are not touched.
 */
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { chmod, chown, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { makeCertificate } from "@posthorn/mailer-smtp/testing"
import { Effect, type Scope } from "effect"
import { freePort } from "../../testing/Forwarder.ts"
import { presence } from "./PostfixPresence.ts"

export interface Postfix {
  readonly port: number
  /** The folder of its configuration. */
  readonly config: string
  readonly start: Effect.Effect<void>
  /** Also ends its open sessions. */
  readonly stop: Effect.Effect<void>
}

/** Logs in at the peer. Without encryption, because its replies are observed on the way. */
const withLogin = (password: string) => `
smtp_sasl_auth_enable = yes
smtp_sasl_password_maps = static:any:${password}
smtp_sasl_security_options = noanonymous
smtp_tls_security_level = none
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
`

const main = (folder: string, relayPort: number) => `
compatibility_level = 3.6
queue_directory = ${folder}/queue
data_directory = ${folder}/data
maillog_file = ${folder}/mail.log
maillog_file_prefixes = ${folder}
myhostname = relay.example.net
mydestination =
alias_maps =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
relayhost = [127.0.0.1]:${relayPort}
smtp_host_lookup = native
smtp_dns_support_level = disabled
smtpd_tls_security_level = may
smtpd_tls_cert_file = ${folder}/config/cert.pem
smtpd_tls_key_file = ${folder}/config/key.pem
`

/** The services of Debian's default, without chroot and without local and legacy delivery. */
const services = (port: number) => `
127.0.0.1:${port} inet n - n - - smtpd
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
`

const prepare = async (port: number, relayPort: number, password: string | undefined) => {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-postfix-"))
  const config = join(folder, "config")
  const data = join(folder, "data")
  for (const each of [config, data, join(folder, "queue")]) await mkdir(each)
  // Postfix's own user needs to pass through this folder to the queue.
  await chmod(folder, 0o755)
  // Postfix drops root for the user that owns the data of the package.
  const { gid, uid } = await stat("/var/lib/postfix")
  await chown(data, uid, gid)
  const { cert, key } = makeCertificate("127.0.0.1")
  await writeFile(join(config, "cert.pem"), cert)
  await writeFile(join(config, "key.pem"), key, { mode: 0o600 })
  await writeFile(
    join(config, "main.cf"),
    main(folder, relayPort) + (password === undefined ? "" : withLogin(password))
  )
  await writeFile(join(config, "master.cf"), services(port))
  return folder
}

const run = promisify(execFile)

/** Started when it is created, stopped with the scope. With a password, it logs in at its peer. */
export const postfix = Effect.fnUntraced(function* (
  relayPort: number,
  password?: string
): Effect.fn.Return<Postfix, never, Scope.Scope> {
  if ("absence" in presence) return yield* Effect.die(new Error(presence.absence))
  const { program } = presence
  const port = yield* freePort
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => prepare(port, relayPort, password)),
    (made) => Effect.promise(() => rm(made, { recursive: true, force: true }))
  )
  const command = (name: "start" | "stop") =>
    Effect.asVoid(Effect.promise(() => run(program, ["-c", join(folder, "config"), name])))
  const isRunning = Effect.sync(() => existsSync(join(folder, "queue/pid/master.pid")))
  const [start, stop] = [command("start"), command("stop")]
  yield* Effect.acquireRelease(start, () => Effect.when(stop, isRunning))
  return { port, config: join(folder, "config"), start, stop }
})
