/** Sends the mail of dev mode to the mailbox, or to a configured server with a copy in the mailbox. */
import type { Projects } from "@posthorn/core/accounts/projects/Projects"
import type * as DeliveryReports from "@posthorn/core/mail/sending/DeliveryReports"
import { Mailer } from "@posthorn/core/platform/Mailer"
import { Smtp, type SmtpUrl } from "@posthorn/mailer-smtp"
import { withCopies } from "@posthorn/platform-node/mailbox/Copies"
import * as MailboxReports from "@posthorn/platform-node/mailbox/MailboxReports"
import * as MailboxServer from "@posthorn/platform-node/mailbox/MailboxServer"
import { MailboxStore } from "@posthorn/platform-node/mailbox/MailboxStore"
import { inRealTime } from "@posthorn/platform-node/RealTime"
import { type Array, Context, Data, Effect, Layer } from "effect"
import type { DevProject } from "./DevProject.ts"

/**
 * The SMTP URL that mail goes to, without user and password. A service, because the port is known only after the mailbox
 * listens.
 */
export class HandedTo extends Context.Service<HandedTo, string>()("@posthorn/node/dev/DevMail/HandedTo") {}

/** The usual port of mail catchers for development. */
export const usualPort = 1025

/** The start fails with it. */
export class SmtpPortTaken extends Data.TaggedError("SmtpPortTaken")<{ readonly port: number; readonly cause: Error }> {
  override get message() {
    const reason = this.cause.message.includes("EADDRINUSE") ? "is in use" : "cannot be used"
    return `Port ${this.port} ${reason}; choose another one for the mailbox with --smtp-port, or 0 for a free one.`
  }
}

type Transports = Array.NonEmptyReadonlyArray<SmtpUrl.SmtpTransport>

const urlOf = ({ tls, host, port }: SmtpUrl.SmtpTransport): string =>
  `${tls === "implicit" ? "smtps" : "smtp"}://${host.includes(":") ? `[${host}]` : host}:${port}`

/** A mail server uses real time, so moving the clock of dev mode must not trigger timeouts. */
const realTime = (mailer: Mailer["Service"]): Mailer["Service"] => ({
  ...mailer,
  send: (envelope, message) => inRealTime(mailer.send(envelope, message))
})

const server = (port: number | undefined) =>
  MailboxServer.layer({ port: port ?? usualPort, orAny: port === undefined, onAccepted: MailboxReports.accepted }).pipe(
    Layer.catchTag("MailboxCannotListen", ({ port, cause }) => Layer.effectContext(new SmtpPortTaken({ port, cause }))),
    // A dependency of this package.
    Layer.catchTag("PackageMissing", (error) => Layer.effectContext(Effect.die(error)))
  )

const toMailbox = Layer.unwrap(
  Effect.map(MailboxServer.MailboxServer, ({ url }) =>
    Layer.merge(
      Layer.effect(
        Mailer,
        Effect.map(Mailer, (mailer) => ({ ...realTime(mailer), isExchange: true }))
      ).pipe(Layer.provide(Layer.orDie(Smtp.layerUrl(url)))),
      Layer.succeed(HandedTo, url)
    )
  )
)

const toOwnServer = (transports: Transports) =>
  Layer.merge(
    Layer.effect(
      Mailer,
      Effect.gen(function* () {
        return withCopies(realTime(yield* Mailer), yield* MailboxStore)
      })
    ).pipe(Layer.provide(Smtp.layer(transports))),
    Layer.succeed(HandedTo, transports.map(urlOf).join(","))
  )

export const layer = ({
  transports,
  smtpPort
}: {
  readonly transports: Transports | undefined
  /** `undefined`: the usual port, or a free one if that is in use. */
  readonly smtpPort: number | undefined
}): Layer.Layer<HandedTo | Mailer, SmtpPortTaken, DevProject | MailboxStore | DeliveryReports.Needs | Projects> =>
  transports === undefined ? Layer.provide(toMailbox, server(smtpPort)) : toOwnServer(transports)
