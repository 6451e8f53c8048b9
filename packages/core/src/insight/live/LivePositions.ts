/** Positions of live streams, as text that only the service can make. */
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { DateTime, Effect, Option, Schema } from "effect"
import { Cursors } from "../../platform/Cursors.ts"
import { type SeenEntries, shortened, tokenLength } from "./LiveEntries.ts"

export interface LivePosition {
  /** The time of the last look at the project. */
  readonly at: DateTime.Utc
  readonly seen: SeenEntries
  /** The state of the project, as JSON. */
  readonly project: string
}

/** Older positions are not continued from. */
const longest = { minutes: 10 }

const Packed = Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.String, Schema.String]))

const scopeOf = (project: ProjectId) => JSON.stringify(["live", project])

export const make = Effect.gen(function* () {
  const cursors = yield* Cursors

  const seal = Effect.fnUntraced(function* (project: ProjectId, position: LivePosition) {
    const { from, entries } = shortened(position.seen)
    const tokens = entries.map(({ token }) => token).join("")
    const id = yield* Schema.encodeEffect(Packed)([DateTime.toEpochMillis(from), tokens, position.project])
    return yield* cursors.seal(scopeOf(project), { key: DateTime.formatIso(position.at), id })
  }, Effect.orDie)

  /** None for a text of another project or service, and for a position that is too old. */
  const open = Effect.fnUntraced(
    function* (project: ProjectId, text: string) {
      const { key, id } = yield* cursors.open(scopeOf(project), text)
      const [from, tokens, state] = yield* Schema.decodeEffect(Packed)(id)
      const at = yield* Effect.fromOption(DateTime.make(key))
      const isOld = DateTime.isLessThan(at, DateTime.subtract(yield* DateTime.now, longest))
      const entries = Array.from({ length: tokens.length / tokenLength }, (_, n) => ({
        token: tokens.slice(n * tokenLength, (n + 1) * tokenLength),
        at: DateTime.toUtc(at)
      }))
      const position = { at: DateTime.toUtc(at), seen: { from: DateTime.makeUnsafe(from), entries }, project: state }
      return isOld ? Option.none<LivePosition>() : Option.some<LivePosition>(position)
    },
    Effect.orElseSucceed(() => Option.none<LivePosition>())
  )

  return { seal, open }
})
