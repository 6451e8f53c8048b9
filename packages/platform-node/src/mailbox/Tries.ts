/**
 * Counts the attempts at `deferred@` for each email, in a file of the mailbox's folder, so that a restart keeps the
 * counts.
 */
import { Array, Effect, FileSystem, Option, Path, type PlatformError, Schema, Semaphore } from "effect"

/** Counts one more attempt, saves it and returns the number, from 1. Counts of accepted messages may be dropped. */
export type CountTry = (mail: string) => Effect.Effect<number, PlatformError.PlatformError>

/** Number of emails to remember; the one that was used least recently is dropped first. */
const remembered = 1_000

const Tries = Schema.fromJsonString(Schema.Array(Schema.Tuple([Schema.String, Schema.Int])))
const decode = Schema.decodeUnknownOption(Tries)
const encode = Schema.encodeSync(Tries)

export const make: (
  folder: string
) => Effect.Effect<CountTry, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> = Effect.fnUntraced(
  function* (folder) {
    const fs = yield* FileSystem.FileSystem
    const file = (yield* Path.Path).join(folder, "deferred.json")
    const written = yield* Effect.when(fs.readFileString(file), fs.exists(file))
    // A file in another form is ignored, and all counts start again.
    const tries = new Map(Option.getOrElse(Option.flatMap(written, decode), () => []))
    const oneByOne = yield* Semaphore.make(1)

    const write = Effect.suspend(() => fs.writeFileString(`${file}.tmp`, encode([...tries]), { mode: 0o600 })).pipe(
      Effect.andThen(fs.rename(`${file}.tmp`, file))
    )

    return Effect.fn("Tries.count")(
      function* (mail: string) {
        const count = (tries.get(mail) ?? 0) + 1
        tries.delete(mail)
        tries.set(mail, count)
        for (const oldest of Array.take(tries.keys(), tries.size - remembered)) tries.delete(oldest)
        yield* write
        return count
      },
      Effect.uninterruptible,
      oneByOne.withPermit
    )
  }
)
