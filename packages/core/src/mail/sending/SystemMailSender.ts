/**
 * Sends the emails of the service itself, over the same transport as all other mail and from the address of the platform.
 * They are signed if a project of this installation has verified the domain of that address.
 */
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import { Context, DateTime, Effect, Layer, Result } from "effect"
import { openLink } from "../../accounts/systemmail/SealedLinks.ts"
import { type PostedEmail, SystemMail } from "../../accounts/systemmail/SystemMail.ts"
import { Composer, type Mailer, type MailerError } from "../../platform/Mailer.ts"
import type { SecretBox } from "../../platform/SecretBox.ts"
import { Settings } from "../../platform/Settings.ts"
import * as SigningKeys from "../domains/SigningKeys.ts"

/** The time after which an email that failed is tried again. */
const leaseSeconds = 300
/** An email that still fails at the last try is deleted and logged. */
const maxTries = 12

const escaped = (text: string) =>
  text.replace(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character] ?? character)

/** Sends the emails of the service itself. A service, because it needs the composer of the host, which jobs do not see. */
export class SystemMailSender extends Context.Service<
  SystemMailSender,
  {
    /** Sends every email that is due. */
    readonly drain: (send: Mailer["Service"]["send"]) => Effect.Effect<void>
  }
>()("@posthorn/core/mail/sending/SystemMailSender") {}

export const layer: Layer.Layer<SystemMailSender, never, Composer | SecretBox | SigningKeys.Needs | SystemMail> =
  Layer.effect(
    SystemMailSender,
    Effect.gen(function* () {
      const outbox = yield* SystemMail
      const composer = yield* Composer
      const box = yield* Effect.context<SecretBox>()
      const { keysOfName } = yield* SigningKeys.make
      const { platformFrom, publicUrl } = yield* Settings
      const from = platformFrom ?? `posthorn@${new URL(publicUrl).hostname}`
      const domain = domainOf(from).toLowerCase()

      const textOf = ({ to, body, link }: PostedEmail) =>
        link === null ? Effect.succeed(body) : Effect.map(openLink(to, link), (opened) => `${body}\n\n${opened}`)

      const platform = Effect.map(keysOfName(domain), (dkim) => ({ address: from, name: "Posthorn", domain, dkim }))

      /** Mail from an address of a project must be signed by its domain: its envelope has the address of the platform. */
      const authorOf = Effect.fnUntraced(function* ({ sender }: PostedEmail) {
        if (sender === null) return yield* platform
        const { project, email, name } = sender
        if (email === null) return { ...(yield* platform), name }
        const domain = domainOf(email).toLowerCase()
        const dkim = yield* keysOfName(domain, project)
        return dkim.length === 0 ? { ...(yield* platform), name } : { address: email, name, domain, dkim }
      })

      const compose = Effect.fnUntraced(function* (email: PostedEmail, date: DateTime.Utc) {
        const { id, to, subject, sender } = email
        const text = yield* textOf(email)
        const { address, name, domain, dkim } = yield* authorOf(email)
        return yield* composer.compose({
          emailId: id,
          from: { address, name },
          replyTo: sender?.replyTo ? { address: sender.replyTo } : undefined,
          to: [{ address: to }],
          cc: [],
          subject,
          text,
          html: `<pre style="font:inherit;white-space:pre-wrap">${escaped(text)}</pre>`,
          headers: [["Auto-Submitted", "auto-generated"]],
          attachments: [],
          messageId: `${id}@${domain}`,
          date,
          dkim
        })
      }, Effect.provideContext(box))

      const notSent = ({ id, tries }: PostedEmail, { reason }: MailerError) =>
        tries < maxTries
          ? Effect.logWarning("Mail of the service not sent; it will be tried again", { reason, tries })
          : Effect.andThen(Effect.logError("Mail of the service given up", { reason, tries }), outbox.drop(id))

      const deliver = Effect.fnUntraced(function* (email: PostedEmail, send: Mailer["Service"]["send"]) {
        const message = yield* Effect.result(compose(email, yield* DateTime.now))
        if (Result.isFailure(message)) {
          yield* Effect.logError("Mail of the service cannot be built", { reason: message.failure._tag })
          return yield* outbox.drop(email.id)
        }
        yield* send({ from, to: email.to }, message.success).pipe(
          Effect.matchEffect({
            onSuccess: () => outbox.drop(email.id),
            onFailure: (error) => notSent(email, error)
          })
        )
      })

      const drain = Effect.fn("SystemMailSender.drain")(function* (send: Mailer["Service"]["send"]) {
        for (
          let email = yield* outbox.take(leaseSeconds);
          email !== undefined;
          email = yield* outbox.take(leaseSeconds)
        ) {
          yield* deliver(email, send)
        }
      })

      return SystemMailSender.of({ drain })
    })
  )
