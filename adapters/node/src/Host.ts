/** The core as this host builds it: on which database, with which secrets, resolvers and transports. */

import { join } from "node:path"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Migrations from "@posthorn/core/migrations/index"
import { loopback, nothingAllowed } from "@posthorn/core/outbound/PublicAddress"
import * as Posthorn from "@posthorn/core/Posthorn"
import { defaults, Settings } from "@posthorn/core/Settings"
import * as EmailSender from "@posthorn/core/sending/EmailSender"
import { Mailer } from "@posthorn/core/sending/Mailer"
import * as Backlog from "@posthorn/core/service/Backlog"
import * as ServiceStatus from "@posthorn/core/service/ServiceStatus"
import * as Worker from "@posthorn/core/Worker"
import { Compose } from "@posthorn/mailer-smtp"
import { Duration, Effect, Layer } from "effect"
import * as Argon2 from "./accounts/Argon2.ts"
import * as BounceServer from "./bounces/BounceServer.ts"
import type { Config } from "./Config.ts"
import * as DomainFiles from "./config/DomainFiles.ts"
import * as KeyedMac from "./crypto/KeyedMac.ts"
import * as PooledRandom from "./crypto/PooledRandom.ts"
import * as Database from "./Database.ts"
import { makeDataDir } from "./DataDir.ts"
import * as NodeDnsResolver from "./dns/NodeDnsResolver.ts"
import * as Identity from "./identity/Identity.ts"
import * as ThreadKeeper from "./lease/ThreadKeeper.ts"
import * as NodeSafeFetch from "./outbound/NodeSafeFetch.ts"
import * as SecretFile from "./SecretFile.ts"
import { LocalUrl } from "./Server.ts"
import * as DiskStorage from "./storage/DiskStorage.ts"
import * as S3Storage from "./storage/S3Storage.ts"

/** Files and cryptography. */
export const platform = Layer.mergeAll(NodeServices.layer, NodeCrypto.layer, KeyedMac.layer, PooledRandom.layer)

/** With a database server and a given secret there is nothing to keep on this machine. */
const keepsFiles = ({ databaseUrl, mode }: Config): boolean => databaseUrl === undefined || mode === "dev"

/** The data folder, where it is needed. */
export const dataDir = (config: Config) =>
  Layer.effectDiscard(keepsFiles(config) ? makeDataDir(config.dataDir) : Effect.void)

/** What the operator should know of the database, once everything is up. */
export const durability = ({ databaseUrl }: Config): Effect.Effect<void> =>
  databaseUrl === undefined
    ? Effect.logInfo(
        "The embedded database survives a killed process; a power cut may cost its last seconds. PostgreSQL keeps them."
      )
    : Effect.void

/** There, and with the schema of this program: brought up to date, or else refused. */
export const database = (config: Config, { migrate }: { readonly migrate: boolean }) =>
  (migrate ? Migrations.layer : Migrations.layerCheck).pipe(
    Layer.provideMerge(Database.layer(config)),
    Layer.provide(dataDir(config))
  )

/** Names and blocks that the operator opened; in dev mode this machine too. */
const outboundAllowed = ({ mode, outboundAllow = nothingAllowed }: Pick<Config, "mode" | "outboundAllow">) =>
  mode === "dev" ? { ...outboundAllow, blocks: [...outboundAllow.blocks, ...loopback.blocks] } : outboundAllow

/** What the operator has set. Where nobody says how the world reaches the server, it is at its own address. */
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

/** The listener for bounces, where a port is set for it. */
export const bounces = ({ host, bounceSmtpPort }: Config) =>
  bounceSmtpPort === undefined ? Layer.empty : Layer.orDie(BounceServer.layer({ host, port: bounceSmtpPort }))

/** Where uploads are kept. */
const storage = ({ bucket, dataDir }: Config) =>
  bucket === undefined ? DiskStorage.layer(join(dataDir, "uploads")) : S3Storage.layer(bucket)

/** Who sells subscriptions. Its package is large, and loaded only where it is used. */
const payments = ({ payments }: Config) =>
  payments === undefined
    ? Layer.empty
    : Layer.unwrap(
        Effect.map(
          Effect.promise(() => import("./payments/StripePayments.ts")),
          ({ layer }) => layer(payments)
        )
      )

/** All services. */
export const services = (config: Config) =>
  Layer.merge(Posthorn.layer, Backlog.layer).pipe(
    Layer.provideMerge(NodeDnsResolver.layer({ servers: config.dnsServers })),
    Layer.provide([NodeDnsResolver.layerVerification({ servers: config.dnsServers }), DomainFiles.layer(config)]),
    Layer.provide(NodeSafeFetch.layer({ allowed: outboundAllowed(config) })),
    Layer.provide(Identity.layer(config.identity)),
    Layer.provide([storage(config), payments(config)]),
    Layer.provide([Compose.layer, Argon2.layer, SecretFile.layer(config)])
  )

/** What `/ready` looks at in a process that delivers mail, and in one that does not. */
export const deliveringStatus = (config: Config) =>
  Layer.unwrap(
    Effect.map(Mailer, ({ state }) =>
      Layer.provide(ServiceStatus.layer, Layer.succeed(ServiceStatus.Options, { expectsWorkers: true, mailer: state }))
    )
  ).pipe(Layer.provide(storage(config)))
export const answeringStatus = (config: Config) => Layer.provide(ServiceStatus.layer, storage(config))

/** How long mails on the wire get to finish when the process is to end. */
const drain = Duration.seconds(30)

/**
 * All loops. An embedded database has one process, so whatever another one held is ours at once; on a database with
 * others a thread keeps the lease while our event loop is held up.
 */
export const loops = ({ databaseUrl }: Config) =>
  Worker.layer.pipe(
    Layer.provide(
      Layer.succeed(EmailSender.Options, { poll: Duration.millis(500), drain, exclusive: databaseUrl === undefined })
    ),
    Layer.provide(
      databaseUrl === undefined ? Layer.empty : ThreadKeeper.layer({ url: databaseUrl, schema: Database.schema })
    )
  )
