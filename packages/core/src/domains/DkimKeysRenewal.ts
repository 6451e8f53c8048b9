/**
 * Brings every domain's private keys under the current secret, so that the previous one can be dropped. Where nothing
 * was sealed by a previous secret, this only proves that the keys open: better now than at the first mail.
 */
import { Effect, Option } from "effect"
import { DkimKeys } from "./DkimKeys.ts"
import { type DomainKeys, DomainStore } from "./DomainStore.ts"

const pageSize = 100

/** Gives the number of domains whose keys were sealed anew. Keys that do not open are logged, and left as they are. */
export const renewSealedKeys: Effect.Effect<number, never, DkimKeys | DomainStore> = Effect.gen(function* () {
  const store = yield* DomainStore
  const dkim = yield* DkimKeys

  const renew = Effect.fnUntraced(
    function* (keys: DomainKeys) {
      const renewed = yield* dkim.renew(keys.id, keys)
      if (Option.isNone(renewed)) return false
      yield* store.replaceKeys(keys, renewed.value)
      return true
    },
    (effect, { projectId, id }) =>
      effect.pipe(
        Effect.catchTag("CannotOpen", (error) => Effect.as(Effect.logError(error.message), false)),
        Effect.annotateLogs({ projectId, domainId: id })
      )
  )

  let count = 0
  let page = yield* store.allKeys(pageSize)
  while (page.length > 0) {
    const renewed = yield* Effect.forEach(page, renew)
    count += renewed.filter((each) => each).length
    page = yield* store.allKeys(pageSize, page.at(-1))
  }
  if (count > 0) yield* Effect.logInfo(`Sealed the keys of ${count} domains anew`)
  return count
}).pipe(Effect.withSpan("DkimKeysRenewal.renewSealedKeys"))
