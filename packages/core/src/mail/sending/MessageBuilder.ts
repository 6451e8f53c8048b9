/** Builds the message of a mail. Every try has the same octets. */

import { plainName } from "@posthorn/contract/platform/DisplayName"
import { mailboxOf } from "@posthorn/contract/platform/Mailbox"
import { Context, Effect, Layer } from "effect"
import { PublicLinks } from "../../platform/links/PublicLinks.ts"
import { CannotCompose, Composer } from "../../platform/Mailer.ts"
import * as SigningKeys from "../domains/SigningKeys.ts"
import type { ShownAddress } from "../ledger/Ledger.ts"
import * as TrackedHtml from "../tracking/TrackedHtml.ts"
import * as CampaignTexts from "./CampaignTexts.ts"
import { type ClaimedEmail, DeliveryQueue } from "./DeliveryQueue.ts"
import { noContact } from "./MailRenderer.ts"
import { messageHeaders } from "./MessageHeaders.ts"
import { messageId } from "./MessageId.ts"

const shown = (addresses: ReadonlyArray<ShownAddress>) =>
  addresses.map(({ email, name }) => ({ address: email, name: plainName(name ?? "") || undefined }))

/** A stored reply address may have a display name. */
const replyTo = (text: string) => {
  const { email: address, name } = mailboxOf(text)
  return { address, name }
}

/** Builds messages. A service, because workers and `Emails` share the texts and keys that it caches. */
export class MessageBuilder extends Context.Service<
  MessageBuilder,
  CampaignTexts.CampaignTexts & {
    /** The composed message, signed if the sender domain is verified, with links and pixel if the mail is tracked. */
    readonly build: (mail: ClaimedEmail) => Effect.Effect<Uint8Array, CannotCompose>
  }
>()("@posthorn/core/mail/sending/MessageBuilder") {}

export const layer: Layer.Layer<
  MessageBuilder,
  never,
  CampaignTexts.Needs | Composer | DeliveryQueue | SigningKeys.Needs | TrackedHtml.Needs
> = Layer.effect(
  MessageBuilder,
  Effect.gen(function* () {
    const composer = yield* Composer
    const queue = yield* DeliveryQueue
    const keys = yield* SigningKeys.make
    const links = yield* PublicLinks
    const tracked = yield* TrackedHtml.make
    const texts = yield* CampaignTexts.make

    /** The links of the stored texts lead to the public URL. */
    const atHost = (text: string, { linkHost }: ClaimedEmail) =>
      linkHost === null ? text : links.atHost(text, linkHost)

    const htmlOf = ({ projectId, id, html, tracking, test, linkHost }: ClaimedEmail) =>
      tracking && !test && html !== null
        ? Effect.mapError(
            tracked.rewrite({ project: projectId, email: id }, html, linkHost),
            ({ message }) => new CannotCompose({ message })
          )
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

    const build = Effect.fn("MessageBuilder.build")(function* (mail: ClaimedEmail) {
      const unsubscribeUrl =
        mail.type === "TRANSACTIONAL" && !mail.test
          ? ""
          : yield* links.url("unsubscribe", {
              project: mail.projectId,
              contact: mail.contactId ?? noContact,
              email: mail.id,
              ...(mail.topicId !== null && { topic: mail.topicId })
            })
      return yield* composer.compose({
        emailId: mail.id,
        from: { address: mail.from, name: plainName(mail.fromName ?? "") || undefined },
        to: shown(mail.shown?.to ?? [{ email: mail.to, name: mail.toName }]),
        cc: shown(mail.shown?.cc ?? []),
        replyTo: mail.replyTo === null ? undefined : replyTo(mail.replyTo),
        subject: mail.subject ?? "",
        html: atHost(yield* htmlOf(mail), mail),
        text: atHost(mail.text ?? "", mail),
        headers: messageHeaders(mail, { unsubscribeUrl: atHost(unsubscribeUrl, mail) }),
        attachments: yield* contentOf(mail),
        messageId: messageId(mail),
        date: mail.scheduledFor ?? mail.createdAt,
        dkim: mail.domainId === null ? [] : yield* keys.signingKeys(mail.projectId, mail.domainId)
      })
    })

    return MessageBuilder.of({ ...texts, build })
  })
)
