/** Addresses that may be recognised but no longer known: HMAC-SHA-256 under the installation's secret (contract 12.17). */
import type { ProjectId } from "@posthorn/contract/Auth"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import { Mac } from "effect/crypto"
import { Secrets } from "../Secrets.ts"

export class AddressHashes extends Context.Service<
  AddressHashes,
  {
    /** What stands for the address from now on; in another project it is another one. */
    readonly of: (project: ProjectId, email: string) => Effect.Effect<Uint8Array>
    /** All that may stand for it: the hash, and the one under the previous secret. */
    readonly anyOf: (project: ProjectId, email: string) => Effect.Effect<ReadonlyArray<Uint8Array>>
  }
>()("@posthorn/core/suppression/AddressHashes") {}

export const layer: Layer.Layer<AddressHashes, never, Mac.Mac | Secrets> = Layer.effect(
  AddressHashes,
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const { current, previous } = yield* Secrets
    const utf8 = new TextEncoder()
    const keyOf = (secret: Redacted.Redacted<string>) =>
      Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(`erasure:${Redacted.value(secret)}`)))
    const key = yield* keyOf(current)
    const keys = [key, ...(Option.isSome(previous) ? [yield* keyOf(previous.value)] : [])]

    const under = (key: Mac.Key, project: ProjectId, email: string) =>
      Effect.orDie(mac.sign(key, utf8.encode(`${project}:${email}`)))

    return AddressHashes.of({
      of: (project, email) => under(key, project, email),
      anyOf: (project, email) => Effect.forEach(keys, (each) => under(each, project, email))
    })
  })
)
