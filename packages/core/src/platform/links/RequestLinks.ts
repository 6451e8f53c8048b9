/**
 * Links in mail that answer a question to the recipient: whether a subscription or a request about data is genuine.
 *
 * The payload of a token is binary: version, project, id of the question. The record with that id says how long the link
 * is valid.
 */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Effect, Layer, Option } from "effect"
import type { Mac } from "effect/crypto"
import type { Secrets } from "../Secrets.ts"
import { Settings } from "../Settings.ts"
import { uuidBytes, uuidText } from "./Ids.ts"
import * as SignedTokens from "./SignedTokens.ts"

/** The first part of the path. */
export type LinkKind = "confirm" | "privacy"

export interface LinkTarget {
  readonly project: ProjectId
  readonly id: string
}

/** A service, because it needs the secret of the installation, which the public pages do not see. */
export class RequestLinks extends Context.Service<
  RequestLinks,
  {
    readonly url: (kind: LinkKind, asked: LinkTarget) => Effect.Effect<string>
    /** None unless the token was made for this kind of link and is unchanged. */
    readonly read: (kind: LinkKind, token: string) => Effect.Effect<Option.Option<LinkTarget>>
  }
>()("@posthorn/core/platform/links/RequestLinks") {}

const version = 1
const idBytes = 16

const payloadOf = ({ project, id }: LinkTarget) => new Uint8Array([version, ...uuidBytes(project), ...uuidBytes(id)])

const askedOf = (payload: Uint8Array): Option.Option<LinkTarget> =>
  payload[0] === version && payload.length === 1 + 2 * idBytes
    ? Option.some({
        project: ProjectId.make(uuidText(payload.subarray(1, 1 + idBytes))),
        id: uuidText(payload.subarray(1 + idBytes))
      })
    : Option.none()

export const layer: Layer.Layer<RequestLinks, never, Mac.Mac | Secrets> = Layer.effect(
  RequestLinks,
  Effect.gen(function* () {
    const tokens = { confirm: yield* SignedTokens.make("confirm"), privacy: yield* SignedTokens.make("privacy") }
    const { publicUrl } = yield* Settings
    return RequestLinks.of({
      url: (kind, asked) => Effect.map(tokens[kind].seal(payloadOf(asked)), (token) => `${publicUrl}/${kind}/${token}`),
      read: (kind, token) => Effect.map(tokens[kind].open(token), Option.flatMap(askedOf))
    })
  })
)
