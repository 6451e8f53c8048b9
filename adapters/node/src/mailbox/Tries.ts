/** How often `deferred@` was offered each mail, in a file of the mailbox's folder, so that a restart counts on. */
import { Array, Effect, FileSystem, Option, Path, type PlatformError, Schema, Semaphore } from "effect"

/** Tells how often the mail was offered, from 1, and keeps it; one that was taken need not be known any more. */
export type CountTry = (mail: string) => Effect.Effect<number, PlatformError.PlatformError>

/** Mails, the one not seen for longest goes first. */
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
    // What is not of this form is no count of ours: all begin anew.
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
