/** `dev.json`: the state that dev mode keeps in its data folder for the next start. */
import { ProjectId } from "@posthorn/contract/platform/Auth"
import { Context, Duration, Effect, FileSystem, Layer, Option, Path, type PlatformError, Ref, Schema } from "effect"

/** Readable by its owner only: it contains a secret key and a password. */
export const DevState = Schema.Struct({
  projectId: ProjectId,
  publicKey: Schema.String,
  secretKey: Schema.String,
  email: Schema.String,
  password: Schema.String,
  domain: Schema.String,
  /** The URL of the server, or of its last run. The command line reads it. */
  url: Schema.optionalKey(Schema.String),
  /** How far the clock of the service is ahead of real time. */
  clockOffsetMillis: Schema.Number
})
export type DevState = typeof DevState.Type

/** A service, because the clock, the project and the start share one file. */
export class DevStateFile extends Context.Service<
  DevStateFile,
  {
    /** None until the first start has finished. */
    readonly current: Effect.Effect<Option.Option<DevState>>
    /** Writes atomically; the file is on disk when it returns. */
    readonly save: (state: DevState) => Effect.Effect<void>
  }
>()("@posthorn/node/dev/DevState/DevStateFile") {}

const Json = Schema.fromJsonString(DevState)
const decode = Schema.decodeUnknownOption(Json)

const fileIn = (dataDir: string) => Effect.map(Path.Path, (path) => path.join(dataDir, "dev.json"))

/** None if the file is missing or has another form. */
export const read = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.option(fs.readFileString(yield* fileIn(dataDir)))
  return Option.flatMap(text, decode)
})

const make = Effect.fnUntraced(function* (dataDir: string) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fileIn(dataDir)
  const state = yield* Ref.make(yield* read(dataDir))

  const save = Effect.fn("DevState.save")(function* (next: DevState) {
    const text = JSON.stringify(Schema.encodeSync(DevState)(next), null, 2)
    yield* fs.writeFileString(`${file}.tmp`, `${text}\n`, { mode: 0o600 })
    yield* fs.rename(`${file}.tmp`, file)
    yield* Ref.set(state, Option.some(next))
  }, Effect.orDie)

  return DevStateFile.of({ current: Ref.get(state), save })
})

export const layer = (
  dataDir: string
): Layer.Layer<DevStateFile, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(DevStateFile, make(dataDir))

/** Changes values for a later start or another process. */
export const remember = (change: Partial<DevState>): Effect.Effect<void, never, DevStateFile> =>
  DevStateFile.use(({ current, save }) =>
    Effect.flatMap(
      current,
      Option.match({ onNone: () => Effect.void, onSome: (state) => save({ ...state, ...change }) })
    )
  )

/** How far the clock was ahead when the last start ended. */
export const clockOffset = (
  dataDir: string
): Effect.Effect<Duration.Duration, never, FileSystem.FileSystem | Path.Path> =>
  Effect.map(
    read(dataDir),
    Option.match({
      onNone: () => Duration.zero,
      onSome: ({ clockOffsetMillis }) => Duration.millis(Math.max(0, clockOffsetMillis))
    })
  )
