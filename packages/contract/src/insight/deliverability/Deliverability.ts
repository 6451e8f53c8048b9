/** How mail to each mailbox provider goes now. */
import { Schema } from "effect"
import { ProviderReason, ProviderState } from "../../mail/emails/Provider.ts"
import { described, Timestamp } from "../../platform/Primitives.ts"

export const ProviderDelivery = Schema.Struct({
  provider: Schema.String.pipe(
    described("The mailbox provider, or `OTHER` for all others and for a mail exchange of none of them.")
  ),
  name: Schema.String.pipe(described("The name that people know, or the domain of a mail exchange.")),
  transport: Schema.NullOr(Schema.String).pipe(
    described("The transport that the state is about: `smtp1` of the service, or the id of your own. Null if normal.")
  ),
  state: ProviderState,
  level: Schema.Int.pipe(described("How far it is slowed down. Each level halves the rate; 0 is normal.")),
  ratePerMinute: Schema.NullOr(Schema.Int).pipe(described("Mails a minute of the whole service. Null: no limit.")),
  maxConnections: Schema.NullOr(Schema.Int).pipe(
    described("Mails that the whole service hands over to it at the same time. Null: no limit.")
  ),
  until: Schema.NullOr(Timestamp).pipe(described("When the state ends or the level falls. Null without an end.")),
  reason: Schema.NullOr(ProviderReason),
  waiting: Schema.Int.pipe(described("Mails of the project to the provider that wait, at most 1,000,000.")),
  lastHour: Schema.Struct({ sent: Schema.Int, deferred: Schema.Int }).pipe(
    described("Of the last hour, in whole quarters of an hour.")
  ),
  sevenDays: Schema.Struct({
    sent: Schema.Int,
    delivered: Schema.Int,
    bounced: Schema.Int,
    complained: Schema.Int,
    deferred: Schema.Int
  })
}).annotate({
  identifier: "ProviderDelivery",
  description:
    "Mail to one mailbox provider. The figures are those of the project, those of a mail exchange are of `OTHER`. State and limits are those of the service."
})
export type ProviderDelivery = typeof ProviderDelivery.Type

export const ProviderDeliveries = Schema.Array(ProviderDelivery).annotate({
  identifier: "ProviderDeliveries",
  description: "Mailbox providers that are slowed down or got mail in 7 days; the slowed ones first, then by mail."
})
export type ProviderDeliveries = typeof ProviderDeliveries.Type
