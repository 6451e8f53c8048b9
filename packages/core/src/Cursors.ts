/** Opaque, signed positions in a list (contract 1.8). */
import { InvalidCursor } from "@posthorn/contract/Errors"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { Mac } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { Secrets } from "./Secrets.ts"

/** Where a page ended, by value: the sort key and the id of its last item. */
export const Position = Schema.Struct({ key: Schema.String, id: Schema.String })
export type Position = typeof Position.Type

/**
 * Seals a position for one scope (list, project, filters and sort, as text) and opens it again for that scope alone:
 * the scope is signed but not carried, so a cursor that was changed, cut, or taken elsewhere is an `InvalidCursor`.
 */
export class Cursors extends Context.Service<
  Cursors,
  {
    readonly seal: (scope: string, position: Position) => Effect.Effect<string>
    readonly open: (scope: string, cursor: string) => Effect.Effect<Position, InvalidCursor>
  }
>()("@posthorn/core/Cursors") {}

const tagBytes = 32
const PositionJson = Schema.fromJsonString(Position)
const utf8 = new TextEncoder()

export const layer: Layer.Layer<Cursors, never, Mac.Mac | Secrets> = Layer.effect(
  Cursors,
  Effect.gen(function* () {
    const mac = yield* Mac.Mac
    const secrets = yield* Secrets
    const key = yield* Effect.orDie(Mac.key(Mac.hmacSha256, utf8.encode(`cursor:${Redacted.value(secrets.current)}`)))
    // As JSON, because UTF-8 alone makes all lone surrogates equal.
    const signed = (scope: string, position: string) => utf8.encode(JSON.stringify([scope, position]))

    const seal = Effect.fn("Cursors.seal")(function* (scope: string, position: Position) {
      const text = yield* Schema.encodeEffect(PositionJson)(position)
      const tag = yield* mac.sign(key, signed(scope, text))
      return Base64Url.encode(new Uint8Array([...tag, ...utf8.encode(text)]))
    }, Effect.orDie)

    const open = Effect.fn("Cursors.open")(
      function* (scope: string, cursor: string) {
        const bytes = yield* Effect.fromResult(Base64Url.decode(cursor))
        const text = new TextDecoder().decode(bytes.subarray(tagBytes))
        if (!(yield* mac.verify(key, bytes.subarray(0, tagBytes), signed(scope, text))))
          return yield* new InvalidCursor()
        return yield* Schema.decodeEffect(PositionJson)(text)
      },
      Effect.mapError(() => new InvalidCursor())
    )

    return Cursors.of({ seal, open })
  })
)
