/**
 * The pixel and the links of tracked mail, with signed tokens.
 *
 * The payload of a token is binary: version, kind, project, email and, for a click, the number of the link. The tag of a
 * click also signs the destination, which is a query parameter beside the token. A changed destination is refused.
 */

import { EmailId } from "@posthorn/contract/mail/emails/Email"
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Effect, Layer, Option } from "effect"
import type { Mac } from "effect/crypto"
import { uuidBytes, uuidText } from "../../platform/links/Ids.ts"
import * as SignedTokens from "../../platform/links/SignedTokens.ts"
import type { Secrets } from "../../platform/Secrets.ts"
import { Settings } from "../../platform/Settings.ts"

/** The ids in the tokens of a mail. */
export interface TrackedMail {
  readonly project: ProjectId
  readonly email: EmailId
}

/** One link of a mail. Numbers start at 1. */
export interface TrackedLink extends TrackedMail {
  readonly number: number
}

/** The links of one mail. */
export interface MailLinks {
  readonly pixelUrl: Effect.Effect<string>
  /** `destination` must be in the form in which `URL` serializes it. */
  readonly clickUrl: (number: number, destination: string) => Effect.Effect<string>
}

/** Makes and reads the links of tracked mail. A service, because it needs the secret, which handlers do not see. */
export class TrackingLinks extends Context.Service<
  TrackingLinks,
  {
    /** With a link host, the links are there over https. */
    readonly of: (mail: TrackedMail, linkHost?: string | null) => MailLinks
    readonly readPixel: (token: string) => Effect.Effect<Option.Option<TrackedMail>>
    readonly readClick: (token: string, destination: string) => Effect.Effect<Option.Option<TrackedLink>>
  }
>()("@posthorn/core/mail/tracking/TrackingLinks") {}

export const maxTrackedLinks = 0xffff

const version = 1
const open = 0
const click = 1
const idBytes = 16
const mailBytes = 2 + 2 * idBytes
const clickBytes = mailBytes + 2

const mailOf = (payload: Uint8Array): TrackedMail => ({
  project: ProjectId.make(uuidText(payload.subarray(2, 2 + idBytes))),
  email: EmailId.make(uuidText(payload.subarray(2 + idBytes, mailBytes)))
})

const isOf = (kind: typeof open | typeof click, length: number) => (payload: Uint8Array) =>
  payload[0] === version && payload[1] === kind && payload.length === length

export const layer: Layer.Layer<TrackingLinks, never, Mac.Mac | Secrets> = Layer.effect(
  TrackingLinks,
  Effect.gen(function* () {
    const tokens = yield* SignedTokens.make("tracking")
    const { publicUrl } = yield* Settings

    const of = ({ project, email }: TrackedMail, linkHost?: string | null): MailLinks => {
      const base = linkHost == null ? publicUrl : `https://${linkHost}`
      const ids = new Uint8Array(2 * idBytes)
      ids.set(uuidBytes(project))
      ids.set(uuidBytes(email), idBytes)
      const payloadOf = (kind: typeof open | typeof click, length: number) => {
        const payload = new Uint8Array(length)
        payload.set([version, kind])
        payload.set(ids, 2)
        return payload
      }
      return {
        pixelUrl: Effect.map(
          Effect.suspend(() => tokens.seal(payloadOf(open, mailBytes))),
          (token) => `${base}/t/o/${token}.gif`
        ),
        clickUrl: (number, destination) => {
          const payload = payloadOf(click, clickBytes)
          new DataView(payload.buffer).setUint16(mailBytes, number)
          return Effect.map(
            tokens.seal(payload, destination),
            (token) => `${base}/t/c/${token}?u=${encodeURIComponent(destination)}`
          )
        }
      }
    }

    return TrackingLinks.of({
      of,
      readPixel: (token) =>
        Effect.map(tokens.open(token), (payload) => Option.map(Option.filter(payload, isOf(open, mailBytes)), mailOf)),
      readClick: (token, destination) =>
        Effect.map(tokens.open(token, destination), (payload) =>
          Option.map(Option.filter(payload, isOf(click, clickBytes)), (bytes) => ({
            ...mailOf(bytes),
            number: new DataView(bytes.buffer, bytes.byteOffset).getUint16(mailBytes)
          }))
        )
    })
  })
)
