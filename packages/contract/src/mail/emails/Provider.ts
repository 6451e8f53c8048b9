/** The mailbox provider of a recipient. */
import { Schema } from "effect"
import { described, Timestamp } from "../../platform/Primitives.ts"

const names =
  "`GMAIL`, `YAHOO`, `OUTLOOK`, `MICROSOFT365`, `APPLE`, `YAHOO_JAPAN`, `GMX`, `T_ONLINE`, `IONOS`, `ORANGE`, `COMCAST`, `MAILRU`, `YANDEX`, `QQ`, `NETEASE`, `ZOHO`, `PROTON`, `FASTMAIL`, `MIMECAST`, `PROOFPOINT`, `BARRACUDA`, or `OTHER`"

export const Provider = Schema.String.annotate({ description: `The mailbox provider of the recipient: ${names}.` })
export type Provider = typeof Provider.Type

/** How mail to a provider goes. */
export const ProviderState = Schema.Literals(["NORMAL", "SLOWED", "SUSPENDED", "PROBING"]).annotate({
  description:
    "`SLOWED`: the provider asked for less mail. `SUSPENDED`: no bulk mail goes there. `PROBING`: after a suspension, one mail a minute."
})
export type ProviderState = typeof ProviderState.Type

export const ProviderReason = Schema.Struct({
  code: Schema.NullOr(Schema.Int).pipe(described("Reply code of SMTP. Null if the operator of the service did it.")),
  enhancedCode: Schema.NullOr(Schema.String),
  reply: Schema.String.pipe(
    described("Without addresses of mailboxes and hosts, since mail of another project may have caused it.")
  ),
  at: Timestamp
}).annotate({ identifier: "ProviderReason", description: "The reply by which a mailbox provider asked for less mail." })

const rate = Schema.Finite.pipe(described("Percentage of the mails sent, with one decimal."))

export const ProviderFigures = Schema.Struct({
  provider: Provider,
  sent: Schema.Int,
  delivered: Schema.Int,
  deferred: Schema.Int.pipe(described("Mails with at least one attempt that the server deferred.")),
  opened: Schema.Int,
  clicked: Schema.Int,
  bounced: Schema.Int,
  complained: Schema.Int,
  failed: Schema.Int,
  humanOpened: Schema.Int.pipe(described("Mails that a person opened.")),
  humanClicked: Schema.Int.pipe(described("Mails with a link that a person followed.")),
  deliveryRate: rate,
  openRate: rate,
  clickRate: rate,
  bounceRate: rate
}).annotate({ identifier: "ProviderFigures", description: "Results of the mail to one mailbox provider." })
export type ProviderFigures = typeof ProviderFigures.Type
