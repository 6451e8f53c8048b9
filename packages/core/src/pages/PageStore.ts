/** What a public page needs to know, in one look. */
import type { SuppressionReason } from "@posthorn/contract/emails/Email"
import { Context, type Effect, type Option } from "effect"
import type { Bearer } from "../links/PublicLinks.ts"

export interface Standing {
  readonly projectName: string
  /** Of the project. */
  readonly language: string
  readonly email: string
  readonly subscribed: boolean
  /** Of the contact, as its data say. */
  readonly locale: string | null
  readonly suppression: SuppressionReason | null
  /** The mail in which the link stood; null when it named none, or is not there any more. */
  readonly mail: { readonly test: boolean; readonly campaignId: string | null } | null
}

/** Storage port. */
export class PageStore extends Context.Service<
  PageStore,
  {
    /** None when the project or the contact is gone. */
    readonly find: (bearer: Bearer) => Effect.Effect<Option.Option<Standing>>
  }
>()("@posthorn/core/pages/PageStore") {}
