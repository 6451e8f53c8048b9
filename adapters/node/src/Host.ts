/** Builds the core for this host: its database, secrets, resolvers and transports. */

import { join } from "node:path"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as EmailSender from "@posthorn/core/mail/sending/EmailSender"
import * as Posthorn from "@posthorn/core/Posthorn"
import { DnsResolver } from "@posthorn/core/platform/dns/DnsResolver"
import { Mailer, MailServers } from "@posthorn/core/platform/Mailer"
import * as Background from "@posthorn/core/platform/migrations/Background"
import * as Migrations from "@posthorn/core/platform/migrations/index"
import { loopback, nothingAllowed } from "@posthorn/core/platform/outbound/PublicAddress"
import type { SafeFetch } from "@posthorn/core/platform/outbound/SafeFetch"
import { defaults, Settings } from "@posthorn/core/platform/Settings"
import * as ServiceStatus from "@posthorn/core/service/ServiceStatus"
import * as Worker from "@posthorn/core/Worker"
import { Compose, ProjectServers } from "@posthorn/mailer-smtp"
import * as Argon2 from "@posthorn/platform-node/accounts/Argon2"
import * as CertificateParser from "@posthorn/platform-node/crypto/CertificateParser"
import * as KeyedMac from "@posthorn/platform-node/crypto/KeyedMac"
import * as PooledRandom from "@posthorn/platform-node/crypto/PooledRandom"
import * as NodeDnsResolver from "@posthorn/platform-node/dns/NodeDnsResolver"
import * as Identity from "@posthorn/platform-node/identity/Identity"
import { load, type PackageMissing } from "@posthorn/platform-node/OptionalPackage"
import * as NodeSafeFetch from "@posthorn/platform-node/outbound/NodeSafeFetch"
import { inRealTime } from "@posthorn/platform-node/RealTime"
import type { RedisRefused } from "@posthorn/platform-node/redis/RedisRateWindows"
import * as DiskStorage from "@posthorn/platform-node/storage/DiskStorage"
import * as MjmlThreads from "@posthorn/platform-node/text/MjmlThreads"
import * as TextThreads from "@posthorn/platform-node/text/TextThreads"
import { Duration, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import * as BounceServer from "./bounces/BounceServer.ts"
import * as MailAuth from "./bounces/MailAuth.ts"
import type { Config } from "./Config.ts"
import * as DomainFiles from "./config/DomainFiles.ts"
import * as Database from "./Database.ts"
import { makeDataDir } from "./DataDir.ts"
import * as Edge from "./Edge.ts"
import * as EventLoopDelay from "./health/EventLoopDelay.ts"
import * as ThreadKeeper from "./lease/ThreadKeeper.ts"
import * as SecretFile from "./SecretFile.ts"
import { LocalUrl } from "./Server.ts"
import * as SubmissionServer from "./submission/SubmissionServer.ts"

/** Files and cryptography. */
export const platform = Layer.mergeAll(NodeServices.layer, NodeCrypto.layer, KeyedMac.layer, PooledRandom.layer)

/** With a database server and a given secret, nothing needs the data folder. */
const keepsFiles = ({ databaseUrl, mode }: Config): boolean => databaseUrl === undefined || mode === "dev"

/** Creates the data folder where it is needed. */
export const dataDir = (config: Config) =>
  Layer.effectDiscard(keepsFiles(config) ? makeDataDir(config.dataDir) : Effect.void)

/** Logs after the start how durable the embedded database is. */
export const durability = ({ databaseUrl }: Config): Effect.Effect<void> =>
  databaseUrl === undefined
    ? Effect.logInfo(
        "The embedded database keeps its data if the process is killed, but can lose the last seconds in a power cut. PostgreSQL does not."
      )
    : Effect.void

/**
 * The database with the schema of this program: migrates it, or fails if migrations are pending. `before` runs when the
 * database answers, before anything is written.
 */
export const database = <E = never>(
  config: Config,
  {
    migrate,
    before = Layer.empty
  }: { readonly migrate: boolean; readonly before?: Layer.Layer<never, E, SqlClient.SqlClient> }
) =>
  Database.directly(migrate ? Migrations.layer : Migrations.layerCheck).pipe(
    Layer.provideMerge(before),
    Layer.provideMerge(Database.layer(config)),
    Layer.provide(dataDir(config))
  )

/** Names and networks that the operator allowed. Dev mode also allows this machine. */
const outboundAllowed = ({ mode, outboundAllow = nothingAllowed }: Pick<Config, "mode" | "outboundAllow">) =>
  mode === "dev" ? { ...outboundAllow, blocks: [...outboundAllow.blocks, ...loopback.blocks] } : outboundAllow

/** The settings of the operator. Without a public URL, the server uses its own local address. */
export const settings = ({ settings, publicUrl, dashboardOrigins, ...config }: Config) =>
  Layer.effect(
    Settings,
    Effect.map(LocalUrl, (url) => {
      const base = publicUrl ?? url ?? defaults.publicUrl
      return {
        ...settings,
        publicUrl: base,
        dashboardOrigins: dashboardOrigins ?? [new URL(base).origin],
        outboundAllowed: outboundAllowed(config)
      }
    })
  )

/** The SMTP server for bounces, if its port is set. */
export const bounces = ({ host, bounceSmtpPort }: Config) =>
  bounceSmtpPort === undefined ? Layer.empty : Layer.orDie(BounceServer.layer({ host, port: bounceSmtpPort }))

/** The SMTP server for submission, if its port is set. */
export const submission = ({ submission }: Config) =>
  submission === undefined ? Layer.empty : Layer.orDie(SubmissionServer.layer(submission))

/** The storage of uploads. */
const storage = ({ bucket, dataDir }: Config) =>
  bucket === undefined
    ? DiskStorage.layer(join(dataDir, "uploads"))
    : Layer.unwrap(
        Effect.map(
          load("aws4fetch", "POSTHORN_S3_BUCKET", () => import("@posthorn/platform-node/storage/S3Storage")),
          ({ layer }) => layer(bucket)
        )
      )

/** The payment provider. Its package is large, so it is loaded only when it is configured. */
const payments = ({ payments }: Config) =>
  payments === undefined
    ? Layer.empty
    : Layer.unwrap(
        Effect.map(
          load("stripe", "POSTHORN_STRIPE_SECRET_KEY", () => import("@posthorn/platform-node/payments/StripePayments")),
          ({ layer }) => layer(payments)
        )
      )

/** The core, with rate limits on Redis if they are to be there. */
const core = ({
  redisUrl: url
}: Config): Layer.Layer<Posthorn.Services, PackageMissing | RedisRefused, Posthorn.Needs> =>
  url === undefined ? Posthorn.layer : Posthorn.layerWith(Edge.redis(url))

/** A mail server uses real time, so moving the clock of dev mode must not trigger timeouts. */
const realTime = ({ judge, check, open }: MailServers["Service"]): MailServers["Service"] => ({
  judge,
  check: (server) => inRealTime(check(server)),
  open: (server) =>
    Effect.map(open(server), ({ send }) => ({ send: (envelope, message) => inRealTime(send(envelope, message)) }))
})

/** Connections to mail servers of projects. If POSTHORN_DNS_SERVERS is set, their names are resolved there. */
const mailServers = (config: Config): Layer.Layer<MailServers, never, DnsResolver> => {
  const allowed = outboundAllowed(config)
  const servers: Layer.Layer<MailServers, never, DnsResolver> =
    config.dnsServers.length === 0
      ? ProjectServers.layer({ allowed })
      : Layer.unwrap(
          Effect.map(DnsResolver, ({ address }) =>
            ProjectServers.layer({ allowed, lookup: (host) => Effect.map(address(host), ({ values }) => values) })
          )
        )
  return config.mode === "dev"
    ? Layer.provide(Layer.effect(MailServers, Effect.map(MailServers, realTime)), servers)
    : servers
}

/** Requests to URLs of users. */
const fetching = (config: Config): Layer.Layer<SafeFetch, never, DnsResolver> =>
  Layer.unwrap(
    Effect.map(DnsResolver, ({ address }) =>
      NodeSafeFetch.layer({
        allowed: outboundAllowed(config),
        ...(config.dnsServers.length > 0 && {
          lookupByDnsServers: (host: string) => Effect.map(address(host), ({ values }) => values)
        })
      })
    )
  )

/** The core over a database, with the resolvers and providers of this host. */
export const services = (
  config: Config
): Layer.Layer<
  DnsResolver | MailServers | Posthorn.Services | SafeFetch,
  Layer.Error<
    ReturnType<typeof core | typeof DomainFiles.layer | typeof payments | typeof SecretFile.layer | typeof storage>
  >,
  Layer.Success<typeof platform> | SqlClient.SqlClient
> =>
  core(config).pipe(
    Layer.provideMerge(Layer.merge(mailServers(config), fetching(config))),
    Layer.provideMerge(NodeDnsResolver.layer({ servers: config.dnsServers })),
    Layer.provide([NodeDnsResolver.layerVerification({ servers: config.dnsServers }), DomainFiles.layer(config)]),
    Layer.provide(MailAuth.layer({ servers: config.dnsServers })),
    Layer.provide(Identity.layer(config.identity)),
    Layer.provide([storage(config), payments(config)]),
    Layer.provide([Argon2.layer, CertificateParser.layer, Compose.layer, SecretFile.layer(config)]),
    Layer.provide(MjmlThreads.layer),
    // Test runs of workflows render texts too, and the handlers build them.
    Layer.provideMerge(TextThreads.layer)
  )

/** What `/ready` checks, with and without delivery of mail. */
export const deliveringStatus = (config: Config) =>
  Layer.unwrap(
    Effect.map(Mailer, ({ state }) =>
      Layer.provide(ServiceStatus.layer, Layer.succeed(ServiceStatus.Options, { expectsWorkers: true, mailer: state }))
    )
  ).pipe(Layer.provide([storage(config), EventLoopDelay.layer]))
export const answeringStatus = (config: Config) =>
  Layer.provide(ServiceStatus.layer, [storage(config), EventLoopDelay.layer])

/** How long emails in transmission may take to finish when the process ends. */
const drain = Duration.seconds(30)

/**
 * All loops. An embedded database has one process, so the claims of an earlier process are released at once. With a
 * database server, a thread renews the lease while our event loop is blocked.
 */
export const loops = ({
  databaseDirectUrl,
  databaseUrl
}: Config): Layer.Layer<never, never, Database.DirectSql | Layer.Services<typeof Worker.layer>> =>
  Layer.merge(Worker.layer, Database.directly(Background.layer)).pipe(
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(500), drain, exclusive: databaseUrl === undefined })
    ),
    Layer.provide(
      databaseUrl === undefined
        ? Layer.empty
        : ThreadKeeper.layer({ url: databaseDirectUrl ?? databaseUrl, schema: Database.schema })
    ),
    Layer.provide(TextThreads.layer)
  )
