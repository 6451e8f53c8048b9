/**
 * The links in an email that act for its recipient without a login.
 *
 * The payload of a token is binary: version, purpose, project, contact, email. Version 2 has the topic of the mail after
 * them. A token works for its own purpose only, contains no address and does not expire.
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
  /** The topic of that email: the link leaves or joins the topic. Absent: the link means all mail. */
  readonly topic?: string
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
    /** Whether a URL, as `URL` writes it, leads to one of these pages, or has a token of theirs. */
    readonly isOwn: (url: string) => boolean
  }
>()("@posthorn/core/platform/links/PublicLinks") {}

const withoutTopic = 1
const withTopic = 2
const idBytes = 16
const noId = new Uint8Array()
/** In place of an email, if a topic follows it. */
const noEmail = new Uint8Array(idBytes)

const payloadOf = (purpose: Purpose, { project, contact, email, topic }: Bearer) =>
  new Uint8Array([
    topic === undefined ? withoutTopic : withTopic,
    purposes.indexOf(purpose),
    ...uuidBytes(project),
    ...uuidBytes(contact),
    ...(email === null ? (topic === undefined ? noId : noEmail) : uuidBytes(email)),
    ...(topic === undefined ? noId : uuidBytes(topic))
  ])

const bearerOf = (purpose: Purpose, payload: Uint8Array): Option.Option<Bearer> => {
  const [version, given] = payload
  if ((version !== withoutTopic && version !== withTopic) || given !== purposes.indexOf(purpose)) return Option.none()
  const idOf = (n: number) => payload.subarray(2 + n * idBytes, 2 + (n + 1) * idBytes)
  const email = idOf(2)
  return Option.some({
    project: ProjectId.make(uuidText(idOf(0))),
    contact: ContactId.make(uuidText(idOf(1))),
    email: email.some((byte) => byte !== 0) ? EmailId.make(uuidText(email)) : null,
    ...(version === withTopic && { topic: uuidText(idOf(3)) })
  })
}

/** The link to the preferences of a recipient: the hosted page, or the page of the project's own with its token. */
export const preferencesLink = (preferencesUrl: string | null, hosted: string): string => {
  if (preferencesUrl === null) return hosted
  const url = new URL(preferencesUrl)
  url.searchParams.set("token", hosted.slice(hosted.lastIndexOf("/") + 1))
  return url.href
}

/** A parameter as `preferencesLink` writes it: a token of 50 or 66 bytes, as base64. */
const ownToken = /[?&]token=(?:[A-Za-z0-9_-]{67}|[A-Za-z0-9_-]{88})(?:#|&|$)/

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
      isOwn: (url) => purposes.some((purpose) => url.startsWith(`${base}/${purpose}/`)) || ownToken.test(url)
    })
  })
)
