/** Variables that are set but have no effect: misspelt, or for a feature that this version does not have. */
import { ConfigProvider, Effect } from "effect"
import { idleVariables } from "./Variables.ts"

/** Every variable name below a path of the environment. */
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

/** One sentence for each POSTHORN_ variable that is set and has no effect. */
export const idle: Effect.Effect<ReadonlyArray<string>> = Effect.gen(function* () {
  return idleVariables(yield* namesBelow(yield* ConfigProvider.ConfigProvider, ["POSTHORN"]))
})

export const warnIdle: Effect.Effect<void> = Effect.flatMap(idle, (sentences) =>
  Effect.forEach(sentences, (sentence) => Effect.logWarning(sentence), { discard: true })
)
