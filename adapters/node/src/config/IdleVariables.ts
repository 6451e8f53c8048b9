/** Variables that are set and do nothing: misspelt, or of a part of the service that is not there. */
import { ConfigProvider, Effect } from "effect"
import { idleVariables } from "./Variables.ts"

/** Every name that is set below a path of the environment. */
const namesBelow = (
  provider: ConfigProvider.ConfigProvider,
  path: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const node = yield* Effect.orDie(provider.load(path))
    if (node === undefined) return []
    const own = node.value === undefined ? [] : [path.join("_")]
    if (node._tag !== "Record") return own
    return [...own, ...(yield* Effect.forEach(node.keys, (key) => namesBelow(provider, [...path, key]))).flat()]
  })

/** One sentence for each POSTHORN_ variable that is set and does nothing. */
export const idle: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  return idleVariables(yield* namesBelow(yield* ConfigProvider.ConfigProvider, ["POSTHORN"]))
})

export const warnIdle: Effect.Effect<void> = Effect.flatMap(idle, (sentences) =>
  Effect.forEach(sentences, (sentence) => Effect.logWarning(sentence), { discard: true })
)
