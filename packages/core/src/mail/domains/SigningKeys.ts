/** The opened keys that sign the mail of a project. Each `make` has a cache of its own. */

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
   * RSA first. Keys of a domain id never change, so they are read once and remembered, for at most 1,000 domains at a
   * time. Dies when the domain is gone or its keys do not open: never is a mail left unsigned for that.
   */
  readonly signingKeys: (project: ProjectId, domainId: string) => Effect.Effect<ReadonlyArray<DkimKey>>
  /** Of a name, whichever project has verified it; none where nobody has. */
  readonly keysOfName: (domain: string) => Effect.Effect<ReadonlyArray<DkimKey>>
}

const maxRemembered = 1_000

export type Needs = DomainStore | SecretBox

export const make: Effect.Effect<SigningKeys, never, Needs> = Effect.gen(function* () {
  const store = yield* DomainStore
  const box = yield* SecretBox
  const remembered = new Map<string, ReadonlyArray<DkimKey>>()

  const signingKeys = Effect.fnUntraced(function* (project: ProjectId, domainId: string) {
    const place = `${project}/${domainId}`
    const known = remembered.get(place)
    if (known !== undefined) return known
    const sealed = yield* store.keys(project, DomainId.make(domainId))
    if (Option.isNone(sealed)) return yield* new DomainRemoved({ domainId })
    const keys = yield* Effect.provideService(openKeys(sealed.value), SecretBox, box)
    // The oldest goes: a sender with more domains than that would otherwise forget all at once.
    const [oldest] = remembered.size >= maxRemembered ? remembered.keys() : []
    if (oldest !== undefined) remembered.delete(oldest)
    remembered.set(place, keys)
    return keys
  }, Effect.orDie)

  const keysOfName = Effect.fnUntraced(function* (domain: string) {
    const holder = (yield* store.named(domain)).find(({ verified }) => verified)
    return holder === undefined ? [] : yield* signingKeys(holder.projectId, holder.id)
  })

  return { signingKeys, keysOfName }
})
