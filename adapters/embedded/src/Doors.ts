/** The layers of an embedded Posthorn: the core, and what an application's process brings to it. */
import { NodeCrypto } from "@effect/platform-node"
import { PgClient } from "@effect/sql-pg"
import * as Migrations from "@posthorn/core/migrations/index"
import * as Core from "@posthorn/core/Posthorn"
import { Secrets } from "@posthorn/core/Secrets"
import { defaults, Settings } from "@posthorn/core/Settings"
import * as EmailSender from "@posthorn/core/sending/EmailSender"
import * as ServiceStatus from "@posthorn/core/service/ServiceStatus"
import * as Worker from "@posthorn/core/Worker"
import { Compose, Smtp } from "@posthorn/mailer-smtp"
import * as Argon2 from "@posthorn/node/accounts/Argon2"
import * as KeyedMac from "@posthorn/node/crypto/KeyedMac"
import * as PooledRandom from "@posthorn/node/crypto/PooledRandom"
import * as NodeDnsResolver from "@posthorn/node/dns/NodeDnsResolver"
import * as NodeSafeFetch from "@posthorn/node/outbound/NodeSafeFetch"
import * as Pglite from "@posthorn/pglite"
import { Cause, Duration, Effect, Layer, Logger, Option, Redacted } from "effect"
import { InvalidOption, type LogRecord, type PosthornOptions } from "./Options.ts"

const schema = "posthorn"
const maxConnections = 10
/** Bytes; an attachment comes back as one row, in hexadecimal. */
const maxMessageSize = 64 * 1024 * 1024
const minSecretBytes = 32

const database = ({ database }: PosthornOptions) =>
  typeof database === "string"
    ? PgClient.layer({
        url: Redacted.make(database),
        maxConnections,
        maxMessageSize,
        applicationName: "posthorn",
        startupParameters: { search_path: schema }
      })
    : Pglite.layer({ folder: database.dataDir })

const mailer = ({ mailer }: PosthornOptions) => ("smtp" in mailer ? Smtp.layerUrl(mailer.smtp) : mailer)

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

const text = (message: unknown): string =>
  Array.isArray(message) ? message.map(text).join(" ") : typeof message === "string" ? message : String(message)

/** No stream is written to: records go to the application, or nowhere. */
const logs = (onLog: ((record: LogRecord) => void) | undefined) =>
  Logger.layer(
    onLog === undefined
      ? []
      : [
          Logger.make(({ cause, date, logLevel, message }) =>
            onLog({
              level: logLevel,
              message: text(message),
              at: date,
              fields: cause.reasons.length > 0 ? { cause: Cause.pretty(cause) } : {}
            })
          )
        ]
  )

/** Everything behind the doors. Loops drain when the scope closes; mails on the wire get ten seconds. */
export const layer = (options: PosthornOptions) => {
  const exclusive = typeof options.database !== "string"
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
      NodeSafeFetch.layer(),
      secrets(options)
    ]),
    Layer.provideMerge(Migrations.layer.pipe(Layer.provideMerge(database(options)))),
    Layer.provideMerge(Layer.mergeAll(NodeCrypto.layer, KeyedMac.layer, PooledRandom.layer)),
    Layer.provideMerge(settings(options)),
    Layer.provideMerge(logs(options.onLog))
  )
}

export type Services = Layer.Success<ReturnType<typeof layer>>
export type StartError = Layer.Error<ReturnType<typeof layer>>
