/** The layers of an embedded Posthorn: the core, and what an application's process brings to it. */
import { join } from "node:path"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { PgClient } from "@effect/sql-pg"
import type { DnsResolver } from "@posthorn/core/dns/DnsResolver"
import * as Migrations from "@posthorn/core/migrations/index"
import * as Core from "@posthorn/core/Posthorn"
import { Secrets } from "@posthorn/core/Secrets"
import { defaults, Settings } from "@posthorn/core/Settings"
import * as EmailSender from "@posthorn/core/sending/EmailSender"
import type { Mailer } from "@posthorn/core/sending/Mailer"
import * as ServiceStatus from "@posthorn/core/service/ServiceStatus"
import * as Worker from "@posthorn/core/Worker"
import { Compose, Smtp } from "@posthorn/mailer-smtp"
import * as Argon2 from "@posthorn/node/accounts/Argon2"
import * as KeyedMac from "@posthorn/node/crypto/KeyedMac"
import * as PooledRandom from "@posthorn/node/crypto/PooledRandom"
import * as NodeDnsResolver from "@posthorn/node/dns/NodeDnsResolver"
import * as NotifyCarrier from "@posthorn/node/nudges/NotifyCarrier"
import * as NodeSafeFetch from "@posthorn/node/outbound/NodeSafeFetch"
import * as DiskStorage from "@posthorn/node/storage/DiskStorage"
import * as Pglite from "@posthorn/pglite"
import { Array, Cause, Duration, Effect, Layer, Logger, Option, Predicate, Redacted, References, Result } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import * as JoinedSql from "./host/JoinedSql.ts"
import * as PoolSql from "./host/PoolSql.ts"
import { InvalidOption, type LogRecord, type PosthornOptions } from "./Options.ts"

/** Where the tables live, in whichever database. */
export const schemaOf = ({ schema = "posthorn" }: Pick<PosthornOptions, "schema">): string => schema
/** Needs no quotes in any statement, and is none of PostgreSQL's own. */
const schemaName = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/
const maxConnections = 10
/** Bytes; an attachment comes back as one row, in hexadecimal. */
const maxMessageSize = 64 * 1024 * 1024
const minSecretBytes = 32

const ownPool = (url: string, schema: string) =>
  PgClient.layer({
    url: Redacted.make(url),
    maxConnections,
    maxMessageSize,
    applicationName: "posthorn",
    // To compile a statement takes longer than to run any of ours.
    startupParameters: { search_path: schema, jit: "off" }
  })

/** Only a database that the application has too can have transactions to join. */
const connections = ({ database }: PosthornOptions, schema: string) => {
  if (typeof database === "object" && "dataDir" in database) return Pglite.layer({ folder: database.dataDir, schema })
  const joined = JoinedSql.layer(schema)
  if (typeof database === "object") return Layer.provide(joined, PoolSql.layer(database.pool, schema))
  return Layer.provide(Layer.merge(joined, NotifyCarrier.layer(schema)), ownPool(database, schema))
}

const named = (schema: string) =>
  Layer.effect(
    Migrations.DatabaseSchema,
    schemaName.test(schema)
      ? Effect.succeed(schema)
      : Effect.fail(new InvalidOption({ message: "schema is not a name of small letters, digits and underscores." }))
  )

/** With its tables as this program knows them. */
const database = (options: PosthornOptions) => {
  const schema = schemaOf(options)
  return Migrations.layer.pipe(Layer.provideMerge(connections(options, schema)), Layer.provide(named(schema)))
}

const mailer = ({ mailer }: PosthornOptions): Layer.Layer<Mailer, InvalidOption> =>
  "smtp" in mailer
    ? Layer.catchTag(Smtp.layerUrl(mailer.smtp), "InvalidSmtpUrl", ({ message }) =>
        Layer.effectContext(new InvalidOption({ message }))
      )
    : mailer

const secrets = ({ secret, previousSecret }: PosthornOptions) =>
  Layer.effect(
    Secrets,
    new TextEncoder().encode(secret).length < minSecretBytes
      ? Effect.fail(new InvalidOption({ message: `secret has less than ${minSecretBytes} bytes.` }))
      : Effect.succeed({
          current: Redacted.make(secret),
          previous: Option.map(Option.fromUndefinedOr(previousSecret), (text) => Redacted.make(text))
        })
  )

const settings = ({ publicUrl, settings }: PosthornOptions) =>
  Layer.effect(
    Settings,
    URL.canParse(publicUrl)
      ? Effect.succeed({ ...defaults, ...settings, publicUrl: publicUrl.replace(/\/+$/, "") })
      : Effect.fail(new InvalidOption({ message: "publicUrl is not a URL." }))
  )

/** Objects among the parts of a message are fields. */
const told = (message: unknown) => {
  const [texts, fields] = Array.partition(Array.ensure(message), (part) =>
    Predicate.isObject(part) && !(part instanceof Error) ? Result.fail(part) : Result.succeed(String(part))
  )
  return { message: texts.join(" "), fields: Object.assign({}, ...fields) }
}

/** No stream is written to: records go to the application, or nowhere. */
const logs = (onLog: ((record: LogRecord) => void) | undefined) =>
  Logger.layer(
    onLog === undefined
      ? []
      : [
          Logger.make(({ cause, date, fiber, logLevel, message: parts }) => {
            const { message, fields } = told(parts)
            onLog({
              level: logLevel,
              message,
              at: date,
              fields: {
                ...fiber.getRef(References.CurrentLogAnnotations),
                ...fields,
                ...(cause.reasons.length > 0 && { cause: Cause.pretty(cause) })
              }
            })
          })
        ]
  )

const cryptography = Layer.mergeAll(NodeCrypto.layer, KeyedMac.layer, PooledRandom.layer)

/** All of the core, and what this host brings to it. */
export type Services =
  | Core.Services
  | DnsResolver
  | ServiceStatus.ServiceStatus
  | SqlClient.SqlClient
  | Layer.Success<typeof cryptography>

/** Why there is no Posthorn: an option, or a database that cannot be used. */
export type StartError = InvalidOption | Migrations.SchemaMismatch | Pglite.FolderInUse | SqlError.SqlError

/** Where uploads are kept. */
const storage = ({ database, uploads }: PosthornOptions) => {
  const own = typeof database === "object" && "dataDir" in database ? join(database.dataDir, "uploads") : undefined
  const folder = uploads ?? own
  return folder === undefined ? Layer.empty : DiskStorage.layer(folder)
}

/** Everything behind the doors. Loops drain when the scope closes; mails on the wire get ten seconds. */
export const layer = (options: PosthornOptions): Layer.Layer<Services, StartError> => {
  const exclusive = typeof options.database === "object" && "dataDir" in options.database
  const dns = options.dnsServers ? { servers: options.dnsServers } : {}
  const senderOptions = { poll: Duration.millis(500), drain: Duration.seconds(10), exclusive }
  const loops =
    options.workers === false
      ? Layer.empty
      : Worker.layer.pipe(
          Layer.provide(mailer(options)),
          Layer.provide(Layer.succeed(EmailSender.Options, senderOptions))
        )
  return loops.pipe(
    Layer.provideMerge(Layer.merge(Core.layer, ServiceStatus.layer)),
    Layer.provideMerge(NodeDnsResolver.layer(dns)),
    Layer.provide([
      Compose.layer,
      Argon2.layer,
      NodeDnsResolver.layerVerification(dns),
      NodeSafeFetch.layer({ allowed: options.settings?.outboundAllowed }),
      storage(options),
      secrets(options)
    ]),
    Layer.provideMerge(database(options)),
    Layer.provideMerge(cryptography),
    Layer.provideMerge(settings(options)),
    Layer.provideMerge(logs(options.onLog))
  )
}
