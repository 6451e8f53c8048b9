/** The layers of an embedded Posthorn: the core and the services of this host. */
import { join } from "node:path"
import { inspect } from "node:util"
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import * as EmailSender from "@posthorn/core/mail/sending/EmailSender"
import * as Core from "@posthorn/core/Posthorn"
import { DnsResolver } from "@posthorn/core/platform/dns/DnsResolver"
import type { Mailer, MailServers } from "@posthorn/core/platform/Mailer"
import * as Background from "@posthorn/core/platform/migrations/Background"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import type { SafeFetch } from "@posthorn/core/platform/outbound/SafeFetch"
import { Secrets } from "@posthorn/core/platform/Secrets"
import { defaults, Settings } from "@posthorn/core/platform/Settings"
import { contactOf } from "@posthorn/core/service/SecurityText"
import * as ServiceStatus from "@posthorn/core/service/ServiceStatus"
import * as Worker from "@posthorn/core/Worker"
import { Compose, ProjectServers, Smtp } from "@posthorn/mailer-smtp"
import type { FolderInUse } from "@posthorn/pglite"
import * as Argon2 from "@posthorn/platform-node/accounts/Argon2"
import * as CertificateParser from "@posthorn/platform-node/crypto/CertificateParser"
import * as KeyedMac from "@posthorn/platform-node/crypto/KeyedMac"
import * as PooledRandom from "@posthorn/platform-node/crypto/PooledRandom"
import * as NodeDnsResolver from "@posthorn/platform-node/dns/NodeDnsResolver"
import * as EmbeddedDatabase from "@posthorn/platform-node/Embedded"
import type { PackageMissing } from "@posthorn/platform-node/OptionalPackage"
import * as NodeSafeFetch from "@posthorn/platform-node/outbound/NodeSafeFetch"
import * as Postgres from "@posthorn/platform-node/postgres/Postgres"
import * as DiskStorage from "@posthorn/platform-node/storage/DiskStorage"
import * as MjmlThreads from "@posthorn/platform-node/text/MjmlThreads"
import * as TextThreads from "@posthorn/platform-node/text/TextThreads"
import * as NotifyWakeups from "@posthorn/platform-node/wakeups/NotifyWakeups"
import { Array, Cause, Duration, Effect, Layer, Logger, Option, Predicate, Redacted, References, Result } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import type { DevMode } from "./dev/DevMode.ts"
import * as JoinedSql from "./host/JoinedSql.ts"
import * as PoolSql from "./host/PoolSql.ts"
import { InvalidOption, type MailerOption, type PosthornOptions } from "./Options.ts"
import { version } from "./Version.ts"

/** The schema of the tables, in any kind of database. */
export const schemaOf = ({ schema = "posthorn" }: Pick<PosthornOptions, "schema">): string => schema
/** A name that needs no quotes in any statement and is not reserved by PostgreSQL. */
const schemaName = /^(?!pg_)[a-z_][a-z0-9_]{0,62}$/
const maxConnections = 10
const minSecretBytes = 32

/** Transactions can only be joined in a database that the application also uses. */
const connections = (
  { database }: PosthornOptions,
  schema: string
): Layer.Layer<SqlClient.SqlClient, FolderInUse | PackageMissing | Postgres.DatabaseRefused | SqlError.SqlError> => {
  if (typeof database === "object" && "dataDir" in database)
    return EmbeddedDatabase.layer({ folder: database.dataDir, schema })
  const joined = JoinedSql.layer(schema)
  if (typeof database === "object") return Layer.provide(joined, PoolSql.layer(database.pool, schema))
  return Layer.provide(
    Layer.merge(joined, NotifyWakeups.layer(schema)),
    Postgres.layer({ url: Redacted.make(database), settings: Postgres.sessionSettings(schema), maxConnections })
  )
}

const named = (schema: string) =>
  Layer.effect(
    Migrations.DatabaseSchema,
    schemaName.test(schema)
      ? Effect.succeed(schema)
      : Effect.fail(
          new InvalidOption({ message: "schema must be a name of lower-case letters, digits and underscores." })
        )
  )

/** The name of the database for people, without user and password. */
const placeOf = ({ database }: PosthornOptions): string => {
  if (typeof database === "string") return Postgres.withoutLogin(database)
  return "pool" in database ? "The database of the pool" : `The embedded database in ${database.dataDir}`
}

/** The database with the tables of this version. */
const database = (options: PosthornOptions) => {
  const schema = schemaOf(options)
  const place = placeOf(options)
  const connected = Layer.catchTag(connections(options, schema), "SqlError", (error) =>
    Layer.effectContext(Postgres.refusal(place, error))
  )
  return Migrations.layer.pipe(
    Layer.provideMerge(Layer.effectDiscard(Postgres.answers(place))),
    Layer.provideMerge(connected),
    Layer.provide(named(schema))
  )
}

const transport = (mailer: MailerOption): Layer.Layer<Mailer, InvalidOption> =>
  "smtp" in mailer
    ? Layer.catchTag(Smtp.layerUrl(mailer.smtp), "InvalidSmtpUrl", ({ message }) =>
        Layer.effectContext(new InvalidOption({ message }))
      )
    : mailer

const noMailer = new InvalidOption({
  message:
    'mailer is missing: pass { smtp: "smtp://..." } or a transport. Only with dev: true is the mailbox the default.'
})

const mailerOf = ({ mailer }: PosthornOptions, dev: DevMode | undefined) => {
  const given = mailer && transport(mailer)
  return dev?.mailer(given) ?? given ?? Layer.effectContext<Mailer, InvalidOption, never>(noMailer)
}

const secrets = ({ secret, previousSecret, previousSecrets = [] }: PosthornOptions) =>
  Layer.effect(
    Secrets,
    new TextEncoder().encode(secret).length < minSecretBytes
      ? Effect.fail(new InvalidOption({ message: `secret must have at least ${minSecretBytes} bytes.` }))
      : Effect.succeed({
          current: Redacted.make(secret),
          previous: [...(previousSecret === undefined ? [] : [previousSecret]), ...previousSecrets].map((text) =>
            Redacted.make(text)
          )
        })
  )

const settings = ({ publicUrl, settings }: PosthornOptions) =>
  Layer.effect(
    Settings,
    Effect.gen(function* () {
      if (!URL.canParse(publicUrl)) return yield* new InvalidOption({ message: "publicUrl is not a URL." })
      const contacts = settings?.securityContacts ?? defaults.securityContacts
      const securityContacts = Array.getSomes(contacts.map((text) => Option.fromUndefinedOr(contactOf(text))))
      if (securityContacts.length < contacts.length) {
        return yield* new InvalidOption({
          message:
            "settings.securityContacts has an entry that is neither an address nor a mailto:, https: or tel: URL."
        })
      }
      return { ...defaults, ...settings, version, securityContacts, publicUrl: publicUrl.replace(/\/+$/, "") }
    })
  )

/** Objects in a message become fields. Each error is one line, or in full with its stack and causes. */
const readable = (message: unknown, full: boolean) => {
  const [texts, fields] = Array.partition(Array.ensure(message), (part) =>
    Predicate.isObject(part) && !(part instanceof Error)
      ? Result.fail(part)
      : Result.succeed(part instanceof Error && full ? inspect(part, { depth: 5 }) : String(part))
  )
  return { message: texts.join(" "), fields: Object.assign({}, ...fields) }
}

/** Log records go to the application, or are dropped. Nothing is written to a stream. */
const logs = ({ dev = false, onLog }: PosthornOptions) =>
  Logger.layer(
    onLog === undefined
      ? []
      : [
          Logger.make(({ cause, date, fiber, logLevel, message: parts }) => {
            const { message, fields } = readable(parts, dev)
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

/** The whole core and the services of this host. */
export type EmbeddedServices =
  | Core.Services
  | DnsResolver
  | MailServers
  | SafeFetch
  | ServiceStatus.ServiceStatus
  | SqlClient.SqlClient
  | Layer.Success<typeof cryptography>

/** Why Posthorn cannot start: an invalid option, or a database that cannot be used. */
export type StartError =
  | InvalidOption
  | Postgres.DatabaseRefused
  | Migrations.SchemaMismatch
  | Migrations.SchemaRefused
  | FolderInUse
  | PackageMissing

/** The storage of uploads. */
const storage = ({ database, uploads }: PosthornOptions) => {
  const own = typeof database === "object" && "dataDir" in database ? join(database.dataDir, "uploads") : undefined
  const folder = uploads ?? own
  return folder === undefined ? Layer.empty : DiskStorage.layer(folder)
}

/** Connections to mail servers of projects. If `dnsServers` is set, their names are resolved there. */
const mailServers = ({ dnsServers, settings }: PosthornOptions): Layer.Layer<MailServers, never, DnsResolver> => {
  const allowed = settings?.outboundAllowed
  if (dnsServers === undefined) return ProjectServers.layer({ allowed })
  return Layer.unwrap(
    Effect.map(DnsResolver, ({ address }) =>
      ProjectServers.layer({ allowed, lookup: (host) => Effect.map(address(host), ({ values }) => values) })
    )
  )
}

/** All services. When the scope closes, the loops stop, and emails in transmission have ten seconds to finish. */
export const layer = (
  options: PosthornOptions,
  devMode: DevMode | undefined
): Layer.Layer<EmbeddedServices, StartError> => {
  const exclusive = typeof options.database === "object" && "dataDir" in options.database
  const dns = options.dnsServers ? { servers: options.dnsServers } : {}
  const senderOptions = { poll: Duration.millis(500), drain: Duration.seconds(10), exclusive }
  const loops =
    options.workers === false
      ? Layer.empty
      : Layer.mergeAll(
          Worker.layer,
          Layer.provide(Background.layer, named(schemaOf(options))),
          devMode?.started ?? Layer.empty
        ).pipe(
          Layer.provide(mailerOf(options, devMode)),
          Layer.provide(Layer.succeed(EmailSender.Options, senderOptions))
        )
  return loops.pipe(
    Layer.provideMerge(Layer.merge(Core.layer, ServiceStatus.layer)),
    Layer.provideMerge(
      Layer.merge(mailServers(options), NodeSafeFetch.layer({ allowed: options.settings?.outboundAllowed }))
    ),
    Layer.provideMerge(NodeDnsResolver.layer(dns)),
    Layer.provide([
      Compose.layer,
      Argon2.layer,
      CertificateParser.layer,
      MjmlThreads.layer,
      NodeDnsResolver.layerVerification(dns),
      storage(options),
      secrets(options)
    ]),
    // Test runs of workflows render texts too, and the handlers build them.
    Layer.provideMerge(TextThreads.layer),
    Layer.provideMerge(database(options)),
    Layer.provideMerge(cryptography),
    Layer.provideMerge(settings(options)),
    Layer.provideMerge(logs(options))
  )
}
