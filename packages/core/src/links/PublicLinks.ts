/**
 * The links in a mail that act for its recipient without a login (contract 8.4, contract-2 15.1).
 *
 * A token is base64url(payload) `.` base64url(HMAC-SHA-256, first 16 bytes). The payload is binary: version, purpose,
 * project, contact, email. A token serves its own purpose only, holds no address and does not expire.
 */
import type { ProjectId } from "@posthorn/contract/Auth"
import type { ContactId } from "@posthorn/contract/contacts/Contact"
import { Context, Effect, Layer, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Secrets } from "../Secrets.ts"
import { Settings } from "../Settings.ts"
import { uuidBytes } from "../sending/ReturnPath.ts"

export const purposes = ["unsubscribe", "subscribe", "manage"] as const
export type Purpose = (typeof purposes)[number]

/** Whose link it is, and in which mail it stood. */
export interface Bearer {
  readonly project: ProjectId
  readonly contact: ContactId
  readonly email: string | null
}

export class PublicLinks extends Context.Service<
  PublicLinks,
  {
    readonly url: (purpose: Purpose, bearer: Bearer) => Effect.Effect<string>
    /** Looks like one and is nobody's: for test mail, whose links change nothing. */
    readonly inert: (purpose: Purpose) => Effect.Effect<string>
  }
>()("@posthorn/core/links/PublicLinks") {}

const version = 1
const tagBytes = 16
const noEmail = new Uint8Array()

export const layer: Layer.Layer<PublicLinks, never, Mac.Mac | Secrets> = Layer.effect(
  PublicLinks,
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const { current } = yield* Secrets
    const { publicUrl } = yield* Settings
    const utf8 = new TextEncoder()
    const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(`link:${Redacted.value(current)}`)))

    const url = Effect.fnUntraced(function* (purpose: Purpose, { project, contact, email }: Bearer) {
      const payload = new Uint8Array([
        version,
        purposes.indexOf(purpose),
        ...uuidBytes(project),
        ...uuidBytes(contact),
        ...(email === null ? noEmail : uuidBytes(email))
      ])
      const tag = yield* Effect.orDie(mac.sign(key, payload))
      return `${publicUrl}/${purpose}/${Base64Url.encode(payload)}.${Base64Url.encode(tag.subarray(0, tagBytes))}`
    })

    return PublicLinks.of({ url, inert: (purpose) => Effect.succeed(`${publicUrl}/${purpose}/test`) })
  })
)
