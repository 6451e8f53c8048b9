/** The query of the public pages, in PostgreSQL or PGlite. */
import { SuppressionReason } from "@posthorn/contract/audience/suppressions/Suppression"
import { Array, Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
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

const nullable = Schema.NullOr(Schema.String)

const rows = Schema.decodeUnknownEffect(
  Schema.Array(
    Schema.Struct({
      projectName: Schema.String,
      language: Schema.String,
      email: Schema.String,
      subscribed: Schema.Boolean,
      locale: nullable,
      suppression: Schema.NullOr(SuppressionReason),
      test: Schema.NullOr(Schema.Boolean),
      campaignId: nullable
    })
  )
)

export const make = Effect.map(SqlClient.SqlClient, (sql) => ({
  /** None if the project or the contact is deleted. */
  find: Effect.fn("PageStore.find")(function* ({ project, contact, email }: Bearer) {
    const found = yield* rows(
      yield* sql`
          select projects.name as "projectName", projects.language, contacts.email, contacts.subscribed,
                 contacts.data ->> 'locale' as locale, suppressions.reason as suppression, emails.test,
                 emails.campaign_id as "campaignId"
          from projects
          join contacts on contacts.project_id = projects.id and contacts.id = ${contact}::uuid
          left join suppressions
            on suppressions.project_id = projects.id and suppressions.email = contacts.email
          left join emails on emails.project_id = projects.id and emails.id = ${email}::uuid
          where projects.id = ${project}::uuid and projects.deleted_at is null`
    )
    return Option.map(
      Array.head(found),
      ({ test, campaignId, ...standing }): SubscriptionState => ({
        ...standing,
        mail: test === null ? null : { test, campaignId }
      })
    )
  }, Effect.orDie)
}))
