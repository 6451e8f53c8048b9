/** Reads everything that a public page needs, in one query. */
import type { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import { Context, type Effect, type Option } from "effect"
import type { Bearer } from "../../platform/links/PublicLinks.ts"

export interface SubscriptionState {
  readonly projectName: string
  /** The language of the project. */
  readonly language: string
  readonly email: string
  readonly subscribed: boolean
  /** The locale in the data of the contact. */
  readonly locale: string | null
  readonly suppression: SuppressionReason | null
  /** The mail that contained the link. Null if the link names no mail or the mail is deleted. */
  readonly mail: { readonly test: boolean; readonly campaignId: string | null } | null
}

/** The storage port of the public pages. */
export class PageStore extends Context.Service<
  PageStore,
  {
    /** None if the project or the contact is deleted. */
    readonly find: (bearer: Bearer) => Effect.Effect<Option.Option<SubscriptionState>>
  }
>()("@posthorn/core/audience/pages/PageStore") {}
