/** What an import takes from another service, in the terms of this one. */
import type { FilterTree } from "@posthorn/client"
import { Effect, type Schema } from "effect"
import type { CommandFailure } from "../Failure.ts"

export interface SourceContact {
  readonly email: string
  /** False: the contact gets no marketing mail here. True: a new contact is subscribed, one that is here stays as it is. */
  readonly subscribed: boolean
  /** It must get no mail at all. */
  readonly isSuppressed?: boolean | undefined
  readonly data: { readonly [key: string]: Schema.Json }
  readonly locale?: string | undefined
  readonly timezone?: string | undefined
  /** When the person agreed, if the source knows it. */
  readonly agreedAt?: string | undefined
  /** Ids of segments that hold the contact. */
  readonly segments?: ReadonlyArray<string> | undefined
}

export interface SourceSegment {
  readonly id: string
  readonly name: string
  readonly description?: string | undefined
  /** Of a segment that is made of a condition. Without it, the segment has the members that it has now. */
  readonly condition?: FilterTree | undefined
}

export interface SourceTemplate {
  readonly id: string
  readonly name: string
  /** A frame around the texts of campaigns. It becomes a partial. */
  readonly isLayout?: boolean | undefined
  readonly subject: string
  readonly body: string
  readonly text?: string | undefined
  readonly from?: string | undefined
  readonly fromName?: string | undefined
  readonly replyTo?: string | undefined
  readonly type: "HEADLESS" | "MARKETING" | "TRANSACTIONAL"
  /** Placeholders that have no equal here, as they are written in the texts. */
  readonly unknown?: ReadonlyArray<string> | undefined
}

/** Some items, and where to read on. */
export interface SourcePage<A> {
  readonly items: ReadonlyArray<A>
  /** Null after the last page. */
  readonly next: string | null
  /** Of all pages, if the source says it. */
  readonly total?: number | undefined
}

/** Reads the page of a cursor; null: the first. */
export type SourcePages<A> = (cursor: string | null) => Effect.Effect<SourcePage<A>, CommandFailure>

/** What the source has and this service has not. */
export interface Gap {
  readonly what: string
  /** Null: not known. */
  readonly count: number | null
  readonly advice: string
}

export interface ImportSource {
  readonly name: string
  /** Names of domains, which still have to be verified here. */
  readonly domains: Effect.Effect<ReadonlyArray<string>, CommandFailure>
  /** Addresses that must get no mail at all. */
  readonly suppressions: SourcePages<string>
  readonly segments: Effect.Effect<ReadonlyArray<SourceSegment>, CommandFailure>
  readonly contacts: SourcePages<SourceContact>
  /** Addresses in a segment; undefined if the contacts name their segments. */
  readonly members?: ((segment: string) => SourcePages<string>) | undefined
  readonly templates: Effect.Effect<ReadonlyArray<SourceTemplate>, CommandFailure>
  readonly gaps: Effect.Effect<ReadonlyArray<Gap>, CommandFailure>
}

/** Of a source that has none. */
export const noPages: SourcePages<never> = () => Effect.succeed({ items: [], next: null })
