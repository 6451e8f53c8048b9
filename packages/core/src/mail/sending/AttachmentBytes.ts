/** Attachments of a request as bytes, within the limits of the server. */

import type { AttachmentInfo } from "@posthorn/contract/mail/emails/Email"
import type { Attachment } from "@posthorn/contract/mail/sending/Attachments"
import { ValidationError } from "@posthorn/contract/platform/Errors"
import { Effect, Option, Result } from "effect"
import { SecureRandom } from "effect/crypto"
import { Base64 } from "effect/encoding"
import { Mime } from "effect/http"
import type { Settings } from "../../platform/Settings.ts"

/** The bytes of one attachment, and its properties. */
export interface AttachedFile extends AttachmentInfo {
  readonly id: string
  readonly content: Uint8Array
}

/** Base64 (RFC 4648 section 4). White space and missing padding are accepted. */
const decode = (text: string) => {
  const dense = text.replace(/[ \t\r\n=]+/g, "")
  return Base64.decode(dense.padEnd(Math.ceil(dense.length / 4) * 4, "="))
}

export const decodeAttachments = Effect.fn("Sending.decodeAttachments")(function* (
  attachments: ReadonlyArray<Attachment>,
  { maxAttachments, maxAttachmentBytes }: Settings
) {
  const random = yield* SecureRandom.SecureRandom
  if (attachments.length > maxAttachments) {
    return yield* ValidationError.one("attachments", "too_big", `At most ${maxAttachments} attachments.`)
  }
  const files = yield* Effect.forEach(
    attachments,
    ({ content, contentId, contentType, disposition, filename }, index) =>
      Effect.gen(function* () {
        const bytes = decode(content)
        if (Result.isFailure(bytes)) {
          return yield* ValidationError.one(`attachments.${index}.content`, "invalid_string", "Not base64.")
        }
        return {
          id: yield* random.uuidV7(),
          filename,
          contentType: contentType ?? Option.getOrElse(Mime.getType(filename), () => "application/octet-stream"),
          disposition: disposition ?? "attachment",
          contentId: contentId ?? null,
          size: bytes.success.length,
          content: bytes.success
        } satisfies AttachedFile
      })
  )
  const total = files.reduce((sum, { size }) => sum + size, 0)
  if (total > maxAttachmentBytes) {
    return yield* ValidationError.one(
      "attachments",
      "too_big",
      `At most ${maxAttachmentBytes} bytes in all attachments.`
    )
  }
  return files
})
