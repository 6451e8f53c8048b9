/**
 * What `dev: true` adds: the mailbox with its pages and simulated outcomes, webhooks to this machine, and domains under
 * `.test` without DNS.
 */
import { join } from "node:path"
import * as NodeCrypto from "@effect/platform-node-shared/NodeCrypto"
import * as NodeFileSystem from "@effect/platform-node-shared/NodeFileSystem"
import * as NodePath from "@effect/platform-node-shared/NodePath"
import type * as DeliveryReports from "@posthorn/core/mail/sending/DeliveryReports"
import { Mailer } from "@posthorn/core/platform/Mailer"
import { loopback, nothingAllowed } from "@posthorn/core/platform/outbound/PublicAddress"
import { Smtp } from "@posthorn/mailer-smtp"
import { withCopies } from "@posthorn/platform-node/mailbox/Copies"
import * as MailboxHttp from "@posthorn/platform-node/mailbox/MailboxHttp"
import * as MailboxReports from "@posthorn/platform-node/mailbox/MailboxReports"
import * as MailboxServer from "@posthorn/platform-node/mailbox/MailboxServer"
import * as MailboxStore from "@posthorn/platform-node/mailbox/MailboxStore"
import type { PackageMissing } from "@posthorn/platform-node/OptionalPackage"
import { Effect, FileSystem, Layer } from "effect"
import type { HttpRouter, HttpServerRequest } from "effect/http"
import { InvalidOption, type PosthornOptions } from "../Options.ts"
import { withPeer } from "./DevPeer.ts"

export interface DevMode {
  /** The options of the application, with the settings of the dev mode. */
  readonly options: PosthornOptions
  /** The pages under /dev. */
  readonly routes: Layer.Layer<never, InvalidOption, HttpRouter.HttpRouter>
  /** Sends to the mailbox, or to `given` with a copy in the mailbox. */
  readonly mailer: (
    given: Layer.Layer<Mailer, InvalidOption> | undefined
  ) => Layer.Layer<Mailer, InvalidOption | PackageMissing, DeliveryReports.Needs>
  /** Logs at the start where mail goes, and reports the outcomes that a killed process could not report. */
  readonly started: Layer.Layer<never, InvalidOption, DeliveryReports.Needs>
  readonly withPeer: (
    request: HttpServerRequest.HttpServerRequest,
    address: string | undefined
  ) => HttpServerRequest.HttpServerRequest
}

const platform = Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeCrypto.layer)

/** In the data folder, where it is kept; without a data folder in a temporary folder, until `close`. */
const folderOf = ({ database }: PosthornOptions) =>
  typeof database === "object" && "dataDir" in database
    ? Effect.succeed(join(database.dataDir, "mailbox"))
    : FileSystem.FileSystem.use((fs) => fs.makeTempDirectoryScoped({ prefix: "posthorn-mailbox-" }))

const storeOf = (options: PosthornOptions) =>
  Layer.unwrap(Effect.map(folderOf(options), (folder) => MailboxStore.layer({ folder }))).pipe(
    Layer.provide(platform),
    Layer.catchTag("PlatformError", ({ message }) =>
      Layer.effectContext(new InvalidOption({ message: `The dev mailbox cannot use its folder: ${message}` }))
    )
  )

/** On a free port. */
const server = Layer.catchTag(
  MailboxServer.layer({ onAccepted: MailboxReports.accepted }),
  "MailboxCannotListen",
  (error) => Layer.effectContext(Effect.die(error))
)

const toMailbox = Layer.unwrap(
  Effect.map(MailboxServer.MailboxServer, ({ url }) =>
    Layer.effect(
      Mailer,
      Effect.map(Mailer, (mailer) => ({ ...mailer, isExchange: true }))
    ).pipe(Layer.provide(Layer.orDie(Smtp.layerUrl(url))))
  )
).pipe(Layer.provide(server))

const copied = (given: Layer.Layer<Mailer, InvalidOption>) =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      return withCopies(yield* Mailer, yield* MailboxStore.MailboxStore)
    })
  ).pipe(Layer.provide(given))

export const make = (options: PosthornOptions): DevMode => {
  const { publicUrl, mailer } = options
  const allowed = options.settings?.outboundAllowed ?? nothingAllowed
  const outboundAllowed = { ...allowed, blocks: [...allowed.blocks, ...loopback.blocks] }
  // One layer, so that the mailer and the pages share one mailbox.
  const store = storeOf(options)
  const page = `${publicUrl.replace(/\/+$/, "")}/dev/mailbox`
  const where = mailer === undefined ? `emails stay in the mailbox at ${page}` : `${page} has copies of all emails`
  return {
    options: { ...options, settings: { ...options.settings, devMode: true, providerLookup: false, outboundAllowed } },
    routes: Layer.provide(MailboxHttp.layer({ publicUrl, open: false }), store),
    mailer: (given) => (given === undefined ? Layer.provide(toMailbox, store) : Layer.provide(copied(given), store)),
    started: Layer.merge(
      Layer.provide(MailboxReports.layer, store),
      Layer.effectDiscard(Effect.logWarning(`The option dev is on, which is for development only: ${where}.`))
    ),
    withPeer
  }
}
