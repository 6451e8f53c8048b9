/** The content of a captured email, parsed from its bytes. */
import { Effect } from "effect"
import PostalMime from "postal-mime"

interface Attachment {
  readonly filename: string
  readonly contentType: string
  /** Without angle brackets. */
  readonly contentId: string | null
  readonly content: Uint8Array
}

export interface MailContent {
  /** `X-Posthorn-Email-Id` if it is a UUID. Anyone can set it, so it proves nothing. */
  readonly emailId: string | null
  /** As in the header, with angle brackets. */
  readonly messageId: string | null
  /** The address of the From header; "" without one. */
  readonly from: string
  readonly fromName: string
  readonly subject: string
  readonly text: string | null
  readonly html: string | null
  /** In the order of the message, unfolded, otherwise unchanged: RFC 2047 words are not decoded. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly attachments: ReadonlyArray<Attachment>
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Never fails: a message that cannot be parsed has empty content. */
export const readMail = (bytes: Uint8Array): Effect.Effect<MailContent> =>
  Effect.tryPromise(() => PostalMime.parse(bytes)).pipe(
    Effect.map((mail): MailContent => {
      const emailId = mail.headers.find(({ key }) => key === "x-posthorn-email-id")?.value.trim() ?? ""
      return {
        emailId: uuid.test(emailId) ? emailId.toLowerCase() : null,
        messageId: mail.messageId ?? null,
        from: mail.from?.address ?? "",
        fromName: mail.from?.name ?? "",
        subject: mail.subject ?? "",
        text: mail.text ?? null,
        html: mail.html ?? null,
        headers: mail.headers.map(({ originalKey, value }) => [originalKey, value]),
        attachments: mail.attachments.map(({ filename, mimeType, contentId, content }) => ({
          filename: filename ?? "",
          contentType: mimeType,
          contentId: contentId?.replace(/^<|>$/g, "") ?? null,
          content: typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content)
        }))
      }
    }),
    Effect.orElseSucceed(() => unreadable)
  )

/** Parses the header only, which is faster. The body is empty. */
export const readHead = (bytes: Uint8Array): Effect.Effect<MailContent> => {
  const octets = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const ends = ["\r\n\r\n", "\n\n"].map((end) => octets.indexOf(end)).filter((at) => at >= 0)
  return readMail(octets.subarray(0, Math.min(octets.length, ...ends)))
}

const unreadable: MailContent = {
  emailId: null,
  messageId: null,
  from: "",
  fromName: "",
  subject: "",
  text: null,
  html: null,
  headers: [],
  attachments: []
}
