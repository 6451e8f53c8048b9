/** From a mail of the ledger to the message that goes out: the same to the octet on every try. */
import { Context, Effect, Layer } from "effect"
import { SigningKeys } from "../domains/SigningKeys.ts"
import { PublicLinks } from "../links/PublicLinks.ts"
import { TrackedHtml } from "../tracking/TrackedHtml.ts"
import { type ClaimedEmail, DeliveryQueue } from "./DeliveryQueue.ts"
import { type CannotCompose, Composer } from "./Mailer.ts"
import { messageHeaders } from "./MessageHeaders.ts"
import { messageId } from "./MessageId.ts"

/** Of the links of a test mail to somebody who is no contact: there is nothing to do for them. */

export class Assembly extends Context.Service<
  Assembly,
  {
    /** The composed and, where the sender domain is verified, signed message; links and pixel as the mail is tracked. */
    readonly build: (mail: ClaimedEmail) => Effect.Effect<Uint8Array, CannotCompose>
  }
>()("@posthorn/core/sending/Assembly") {}

export const layer: Layer.Layer<Assembly, never, Composer | DeliveryQueue | PublicLinks | SigningKeys | TrackedHtml> =
  Layer.effect(
    Assembly,
    Effect.gen(function* () {
      const composer = yield* Composer
      const queue = yield* DeliveryQueue
      const keys = yield* SigningKeys
      const links = yield* PublicLinks
      const tracked = yield* TrackedHtml

      const htmlOf = ({ projectId, id, html, tracking, test }: ClaimedEmail) =>
        tracking && !test && html !== null
          ? tracked.rewrite({ project: projectId, email: id }, html)
          : Effect.succeed(html ?? "")

      const contentOf = Effect.fnUntraced(function* (mail: ClaimedEmail) {
        if (mail.attachments.length === 0) return []
        const contents = yield* queue.attachments(
          mail.projectId,
          mail.attachments.map(({ id }) => id)
        )
        return mail.attachments.map(({ id, filename, contentType, disposition, contentId }) => ({
          filename,
          contentType,
          disposition,
          contentId: contentId ?? undefined,
          content: contents.get(id) ?? new Uint8Array()
        }))
      })

      const build = Effect.fn("Assembly.build")(function* (mail: ClaimedEmail) {
        const unsubscribeUrl = mail.test
          ? yield* links.inert("unsubscribe")
          : mail.type === "TRANSACTIONAL" || mail.contactId === null
            ? ""
            : yield* links.url("unsubscribe", { project: mail.projectId, contact: mail.contactId, email: mail.id })
        return yield* composer.compose({
          emailId: mail.id,
          from: { address: mail.from, name: mail.fromName ?? undefined },
          to: { address: mail.to, name: mail.toName ?? undefined },
          replyTo: mail.replyTo ?? undefined,
          subject: mail.subject ?? "",
          html: yield* htmlOf(mail),
          text: mail.text ?? "",
          headers: messageHeaders(mail, { unsubscribeUrl }),
          attachments: yield* contentOf(mail),
          messageId: messageId(mail),
          date: mail.createdAt,
          dkim: mail.domainId === null ? [] : yield* keys.signingKeys(mail.projectId, mail.domainId)
        })
      })

      return Assembly.of({ build })
    })
  )
