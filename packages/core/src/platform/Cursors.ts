/** Opaque, signed positions in a list. */
import { InvalidCursor } from "@posthorn/contract/platform/Errors"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Secrets } from "./Secrets.ts"

/** The end of a page: the sort key and the id of its last item. */
export const Position = Schema.Struct({ key: Schema.String, id: Schema.String })
export type Position = typeof Position.Type

/**
 * A service: the lists of all areas call it. Signs a position for one scope (list, project, filters and sort, as text)
 * and opens it for that scope only. The scope is signed but not part of the cursor. A cursor that was changed, cut or
 * used for another scope is an `InvalidCursor`.
 */
export class Cursors extends Context.Service<
  Cursors,
  {
    readonly seal: (scope: string, position: Position) => Effect.Effect<string>
    readonly open: (scope: string, cursor: string) => Effect.Effect<Position, InvalidCursor>
  }
>()("@posthorn/core/platform/Cursors") {}

const tagBytes = 32
const PositionJson = Schema.fromJsonString(Position)
const utf8 = new TextEncoder()

export const layer: Layer.Layer<Cursors, never, Mac.Mac | Secrets> = Layer.effect(
  Cursors,
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const { current, previous } = yield* Secrets
    const keyOf = (secret: Redacted.Redacted<string>) =>
      Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(`cursor:${Redacted.value(secret)}`)))
    const sealing = yield* keyOf(current)
    const believed = [sealing, ...(yield* Effect.forEach(previous, keyOf))]
    // As JSON, because UTF-8 makes all lone surrogates equal.
    const signed = (scope: string, position: string) => utf8.encode(JSON.stringify([scope, position]))

    const seal = Effect.fn("Cursors.seal")(function* (scope: string, position: Position) {
      const text = yield* Schema.encodeEffect(PositionJson)(position)
      const tag = yield* mac.sign(sealing, signed(scope, text))
      return Base64Url.encode(new Uint8Array([...tag, ...utf8.encode(text)]))
    }, Effect.orDie)

    const open = Effect.fn("Cursors.open")(
      function* (scope: string, cursor: string) {
        const bytes = yield* Effect.fromResult(Base64Url.decode(cursor))
        const text = new TextDecoder().decode(bytes.subarray(tagBytes))
        const tag = bytes.subarray(0, tagBytes)
        for (const key of believed) {
          if (yield* mac.verify(key, tag, signed(scope, text))) return yield* Schema.decodeEffect(PositionJson)(text)
        }
        return yield* new InvalidCursor()
      },
      Effect.mapError(() => new InvalidCursor())
    )

    return Cursors.of({ seal, open })
  })
)
