/** Reads and caches the keys that sign mail. Each `make` has its own cache. */

import { DomainId } from "@posthorn/contract/mail/domains/Domain"
import type { ProjectId } from "@posthorn/contract/platform/Auth"
import { Data, Effect, Option } from "effect"
import type { DkimKey } from "../../platform/Mailer.ts"
import { SecretBox } from "../../platform/SecretBox.ts"
import { openKeys } from "./DkimKeys.ts"
import { DomainStore } from "./DomainStore.ts"

/** The domain that should sign a mail was removed meanwhile. */
export class DomainRemoved extends Data.TaggedError("DomainRemoved")<{ readonly domainId: string }> {
  override readonly message = `The domain ${this.domainId} is gone, and its keys with it.`
}

export interface SigningKeys {
  /**
   * RSA first. The keys of a domain never change, so they are cached, for at most 1,000 domains. Dies if the domain was
   * removed or its keys cannot be decrypted, so that no mail is sent unsigned.
   */
  readonly signingKeys: (project: ProjectId, domainId: string) => Effect.Effect<ReadonlyArray<DkimKey>>
  /** The keys of the project that has verified the name: any project, or the given one. Empty if none has. */
  readonly keysOfName: (domain: string, project?: ProjectId) => Effect.Effect<ReadonlyArray<DkimKey>>
}

const maxCached = 1_000

export type Needs = DomainStore | SecretBox

export const make: Effect.Effect<SigningKeys, never, Needs> = Effect.gen(function* () {
  const store = yield* DomainStore
  const box = yield* SecretBox
  const cache = new Map<string, ReadonlyArray<DkimKey>>()

  const signingKeys = Effect.fnUntraced(function* (project: ProjectId, domainId: string) {
    const place = `${project}/${domainId}`
    const known = cache.get(place)
    if (known !== undefined) return known
    const sealed = yield* store.keys(project, DomainId.make(domainId))
    if (Option.isNone(sealed)) return yield* new DomainRemoved({ domainId })
    const keys = yield* Effect.provideService(openKeys(sealed.value), SecretBox, box)
    // Evicts only the oldest entry, so that the cache stays useful with more domains.
    const [oldest] = cache.size >= maxCached ? cache.keys() : []
    if (oldest !== undefined) cache.delete(oldest)
    cache.set(place, keys)
    return keys
  }, Effect.orDie)

  const keysOfName = Effect.fnUntraced(function* (domain: string, project?: ProjectId) {
    const holder = (yield* store.named(domain)).find(
      ({ verified, projectId }) => verified && (project === undefined || projectId === project)
    )
    return holder === undefined ? [] : yield* signingKeys(holder.projectId, holder.id)
  })

  return { signingKeys, keysOfName }
})
