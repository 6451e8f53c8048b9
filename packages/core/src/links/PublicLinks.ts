/**
 * The links in a mail that act for its recipient without a login (contract 8.4, contract-2 15.1).
 *
 * The payload of a token is binary: version, purpose, project, contact, email. A token serves its own purpose only,
 * holds no address and does not expire.
 */
import { ProjectId } from "@posthorn/contract/Auth"
import { ContactId } from "@posthorn/contract/contacts/Contact"
import { EmailId } from "@posthorn/contract/emails/Email"
import { Context, Effect, Layer, Option } from "effect"
import type { Mac } from "effect/crypto"
import type { Secrets } from "../Secrets.ts"
import { Settings } from "../Settings.ts"
import { uuidBytes, uuidText } from "./Ids.ts"
import * as SignedTokens from "./SignedTokens.ts"

export const purposes = ["unsubscribe", "subscribe", "manage"] as const
export type Purpose = (typeof purposes)[number]

/** Whose link it is, and in which mail it stood. */
export interface Bearer {
  readonly project: ProjectId
  readonly contact: ContactId
  readonly email: EmailId | null
}

export class PublicLinks extends Context.Service<
  PublicLinks,
  {
    /** The link for the body of a mail. */
    readonly url: (purpose: Purpose, bearer: Bearer) => Effect.Effect<string>
    /** The token in it, by itself. */
    readonly token: (purpose: Purpose, bearer: Bearer) => Effect.Effect<string>
    /** Whose token it is; none unless it was made for this purpose, to the letter. */
    readonly read: (purpose: Purpose, token: string) => Effect.Effect<Option.Option<Bearer>>
    /** Whether a URL, as `URL` writes it, leads to one of these pages. */
    readonly isOwn: (url: string) => boolean
  }
>()("@posthorn/core/links/PublicLinks") {}

const version = 1
const idBytes = 16
const noEmail = new Uint8Array()

const payloadOf = (purpose: Purpose, { project, contact, email }: Bearer) =>
  new Uint8Array([
    version,
    purposes.indexOf(purpose),
    ...uuidBytes(project),
    ...uuidBytes(contact),
    ...(email === null ? noEmail : uuidBytes(email))
  ])

const bearerOf = (purpose: Purpose, payload: Uint8Array): Option.Option<Bearer> => {
  if (payload[0] !== version || payload[1] !== purposes.indexOf(purpose)) return Option.none()
  const id = (n: number) => uuidText(payload.subarray(2 + n * idBytes, 2 + (n + 1) * idBytes))
  return Option.some({
    project: ProjectId.make(id(0)),
    contact: ContactId.make(id(1)),
    email: payload.length > 2 + 2 * idBytes ? EmailId.make(id(2)) : null
  })
}

export const layer: Layer.Layer<PublicLinks, never, Mac.Mac | Secrets> = Layer.effect(
  PublicLinks,
  Effect.gen(function* () {
    const tokens = yield* SignedTokens.make("link")
    const { publicUrl } = yield* Settings
    const base = new URL(publicUrl).href.replace(/\/$/, "")
    const token = (purpose: Purpose, bearer: Bearer) => tokens.seal(payloadOf(purpose, bearer))
    return PublicLinks.of({
      token,
      url: (purpose, bearer) => Effect.map(token(purpose, bearer), (sealed) => `${publicUrl}/${purpose}/${sealed}`),
      read: (purpose, sealed) =>
        Effect.map(tokens.open(sealed), (payload) => Option.flatMap(payload, (bytes) => bearerOf(purpose, bytes))),
      isOwn: (url) => purposes.some((purpose) => url.startsWith(`${base}/${purpose}/`))
    })
  })
)
