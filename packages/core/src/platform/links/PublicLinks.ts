/**
 * The links in an email that act for its recipient without a login.
 *
 * The payload of a token is binary: version, purpose, project, contact, email. A token works for its own purpose only,
 * contains no address and does not expire.
 */

import { ContactId } from "@posthorn/contract/audience/contacts/Contact"
import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Effect, Layer, Option } from "effect"
import type { Mac } from "effect/crypto"
import type { Secrets } from "../Secrets.ts"
import { Settings } from "../Settings.ts"
import { uuidBytes, uuidText } from "./Ids.ts"
import * as SignedTokens from "./SignedTokens.ts"

export const purposes = ["unsubscribe", "subscribe", "manage"] as const
export type Purpose = (typeof purposes)[number]

/** The recipient of the link, and the email that contains it. */
export interface Bearer {
  readonly project: ProjectId
  readonly contact: ContactId
  readonly email: EmailId | null
}

/** A service: mail and the public pages call it. */
export class PublicLinks extends Context.Service<
  PublicLinks,
  {
    /** The link for the body of an email. */
    readonly url: (purpose: Purpose, bearer: Bearer) => Effect.Effect<string>
    /** The text with these links at another host, over https. */
    readonly atHost: (text: string, host: string) => string
    /** The token of the link. */
    readonly token: (purpose: Purpose, bearer: Bearer) => Effect.Effect<string>
    /** The bearer of the token. None unless the token was made for this purpose and is unchanged. */
    readonly read: (purpose: Purpose, token: string) => Effect.Effect<Option.Option<Bearer>>
    /** Whether a URL, as `URL` writes it, leads to one of these pages. */
    readonly isOwn: (url: string) => boolean
  }
>()("@posthorn/core/platform/links/PublicLinks") {}

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
      atHost: (text, host) =>
        purposes.reduce(
          (left, purpose) => left.replaceAll(`${publicUrl}/${purpose}/`, `https://${host}/${purpose}/`),
          text
        ),
      isOwn: (url) => purposes.some((purpose) => url.startsWith(`${base}/${purpose}/`))
    })
  })
)
