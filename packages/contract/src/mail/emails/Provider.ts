/** The mailbox provider of a recipient. */
import { Schema } from "effect"
import { described } from "../../platform/Primitives.ts"

const names =
  "`GMAIL`, `YAHOO`, `OUTLOOK`, `MICROSOFT365`, `APPLE`, `YAHOO_JAPAN`, `GMX`, `T_ONLINE`, `IONOS`, `ORANGE`, `COMCAST`, `MAILRU`, `YANDEX`, `QQ`, `NETEASE`, `ZOHO`, `PROTON`, `FASTMAIL`, `MIMECAST`, `PROOFPOINT`, `BARRACUDA`, or `OTHER`"

export const Provider = Schema.String.annotate({ description: `The mailbox provider of the recipient: ${names}.` })
export type Provider = typeof Provider.Type

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
