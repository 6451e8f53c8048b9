/**
 * The service as an operator runs it: a database, DNS, accounts, and server processes. It uses PostgreSQL if a server
 * answers, otherwise the embedded database.
 */
import { NodeCrypto } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import * as AccountStoreSql from "@posthorn/core/accounts/people/AccountStoreSql"
import * as Accounts from "@posthorn/core/accounts/people/Accounts"
import * as ApiKeyStoreSql from "@posthorn/core/accounts/projects/ApiKeyStoreSql"
import * as ProjectStoreSql from "@posthorn/core/accounts/projects/ProjectStoreSql"
import * as Projects from "@posthorn/core/accounts/projects/Projects"
import * as Transaction from "@posthorn/core/platform/Transaction"
import { freshDatabase, poolOptions } from "@posthorn/core/testing/Databases"
import { dataFolder, newFolder } from "@posthorn/core/testing/DataFolder"
import * as Pglite from "@posthorn/pglite"
import * as Argon2 from "@posthorn/platform-node/accounts/Argon2"
import { type DnsStub, dnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Effect, Layer, Redacted, Schema, type Scope } from "effect"
import type { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { type Ended, type Program, readiness, start } from "../../testing/Program.ts"
import type { Caller } from "./Caller.ts"
import { startRelay } from "./Relay.ts"

export interface Server {
  readonly program: Program
  readonly url: string
}

export interface Installation {
  readonly dns: DnsStub
  /** The embedded database allows one process: use it before the first server starts or after the last ends. */
  readonly database: Layer.Layer<SqlClient.SqlClient>
  /** A new account with a project of this name; needs the database. */
  readonly account: (project: string) => Effect.Effect<Omit<Caller, "url">>
  /** A process that is ready to answer, to send and to run jobs. */
  readonly serve: (env: Record<string, string>) => Effect.Effect<Server, Ended, Scope.Scope>
}

/** Links in emails lead to it; nothing listens there. */
export const publicUrl = "https://posthorn.example"
/** Signs the links in mails. */
export const installationSecret = "0123456789abcdef0123456789abcdef"
export const bounceDomain = "bounces.posthorn.example"

/** The email address of the account that owns a project of this name. */
export const addressOf = (projectName: string) =>
  `owner-of-${projectName.replaceAll(/\W/g, "-")}@example.com`.toLowerCase()
export const password = "a long enough password"

const server = inject("postgres")

/** For the names of tests. */
export const databaseName = server === undefined ? "the embedded database" : "PostgreSQL"

const accounts = Accounts.layer.pipe(
  Layer.provide(Projects.layer),
  Layer.provide([AccountStoreSql.layer, ApiKeyStoreSql.layer, ProjectStoreSql.layer, Transaction.layerSql]),
  Layer.provide([Argon2.layer, NodeCrypto.layer])
)

const Ready = Schema.Struct({ url: Schema.String })

export const install: Effect.Effect<Installation, never, Scope.Scope> = Effect.gen(function* () {
  const dns = yield* dnsStub()
  const relay = yield* startRelay
  const folder = server === undefined ? dataFolder() : newFolder()
  const url = server === undefined ? undefined : yield* freshDatabase(server)
  const connection = url === undefined ? Pglite.layer({ folder }) : PgClient.layer(poolOptions(url))
  const database = Layer.orDie(connection)

  const account = (projectName: string) =>
    Effect.gen(function* () {
      const { create } = yield* Effect.provide(Accounts.Accounts, accounts)
      const given = { email: addressOf(projectName), password: Redacted.make(password), projectName }
      const { keys, project } = yield* create(given)
      return { projectId: project.id, publicKey: keys.publicKey, secretKey: Redacted.value(keys.secretKey) }
    }).pipe(Effect.orDie, Effect.provide(database))

  const serve = Effect.fnUntraced(function* (env: Record<string, string>) {
    const program = yield* start(["serve", "--json"], {
      ...(url !== undefined && { POSTHORN_DATABASE_URL: url }),
      POSTHORN_DATA_DIR: folder,
      POSTHORN_PORT: "0",
      POSTHORN_SECRET: installationSecret,
      POSTHORN_PUBLIC_URL: publicUrl,
      POSTHORN_BOUNCE_DOMAIN: bounceDomain,
      POSTHORN_DNS_SERVERS: dns.address,
      POSTHORN_DISABLE_SIGNUPS: "false",
      POSTHORN_TRUST_PROXY: "1",
      ...relay.env,
      ...env
    })
    const { url: found } = yield* readiness(program, Ready)
    return { program, url: found }
  })

  return { dns, database, account, serve }
})
