/** Where the mail of the dev mode goes: into the mailbox, or to a server of one's own with a copy in it (rulings 24). */
import type { Projects } from "@posthorn/core/projects/Projects"
import { Mailer } from "@posthorn/core/sending/Mailer"
import type { Notices } from "@posthorn/core/sending/Notices"
import { Smtp, type SmtpUrl } from "@posthorn/mailer-smtp"
import { type Array, Context, Effect, Layer } from "effect"
import * as MailboxServer from "../mailbox/MailboxServer.ts"
import { MailboxStore } from "../mailbox/MailboxStore.ts"
import * as DeliveryReports from "./DeliveryReports.ts"
import { inRealTime } from "./DevClock.ts"
import type { DevProject } from "./DevProject.ts"

/** The SMTP URL that mail is handed to, without login. */
export class HandedTo extends Context.Service<HandedTo, string>()("@posthorn/node/dev/DevMail/HandedTo") {}

type Transports = Array.NonEmptyReadonlyArray<SmtpUrl.Transport>

const urlOf = ({ tls, host, port }: SmtpUrl.Transport): string =>
  `${tls === "implicit" ? "smtps" : "smtp"}://${host.includes(":") ? `[${host}]` : host}:${port}`

/** A peer does not know of our clock: no time-out passes because it was moved. */
const realTime = (mailer: Mailer["Service"]): Mailer["Service"] => ({
  ...mailer,
  send: (envelope, message) => inRealTime(mailer.send(envelope, message))
})

const toMailbox = Layer.unwrap(
  Effect.map(MailboxServer.MailboxServer, ({ url }) =>
    Layer.merge(
      Layer.effect(Mailer, Effect.map(Mailer, realTime)).pipe(Layer.provide(Layer.orDie(Smtp.layerUrl(url)))),
      Layer.succeed(HandedTo, url)
    )
  )
).pipe(Layer.provide(MailboxServer.layer({ onAccepted: DeliveryReports.accepted })))

/** A copy that cannot be kept takes nothing back: the mail has left. */
const withCopies = (mailer: Mailer["Service"], store: MailboxStore["Service"]): Mailer["Service"] => ({
  ...mailer,
  send: (envelope, message) =>
    Effect.tap(mailer.send(envelope, message), () =>
      Effect.catch(store.keep(envelope, message), (error) => Effect.logWarning("No copy of a mail was kept", error))
    )
})

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

export const layer = (
  transports: Transports | undefined
): Layer.Layer<HandedTo | Mailer, MailboxServer.CannotListen, DevProject | MailboxStore | Notices | Projects> =>
  transports === undefined ? toMailbox : toOwnServer(transports)
