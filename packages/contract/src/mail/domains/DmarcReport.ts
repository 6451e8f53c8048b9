/** What DMARC aggregate reports say about the mail from a domain. */
import { Schema } from "effect"
import { WindowQuery } from "../../accounts/projects/WindowQuery.ts"
import { AtLeastOne, described } from "../../platform/Primitives.ts"

const { startDate, endDate } = WindowQuery

export const DmarcGroup = Schema.Literals(["source", "reporter", "day"])
export type DmarcGroup = typeof DmarcGroup.Type

export const DmarcQuery = Schema.Struct({
  startDate,
  endDate,
  groupBy: Schema.optionalKey(DmarcGroup).pipe(described("What one row is about.", "source")),
  limit: Schema.optionalKey(AtLeastOne).pipe(described("At most 100, which is the default."))
})
export type DmarcQuery = typeof DmarcQuery.Type

const figures = {
  messages: Schema.Int.pipe(described("Mails that the reports count.")),
  passed: Schema.Int.pipe(described("Mails that passed DMARC, by DKIM or by SPF.")),
  failed: Schema.Int,
  dkimAligned: Schema.Int.pipe(described("Mails with a valid DKIM signature of the domain.")),
  spfAligned: Schema.Int.pipe(described("Mails whose return path is below the domain, from a server that SPF allows.")),
  quarantined: Schema.Int.pipe(described("Mails that the receiver put into the spam folder because of the policy.")),
  rejected: Schema.Int.pipe(described("Mails that the receiver refused because of the policy."))
}

export const DmarcFigures = Schema.Struct(figures).annotate({
  identifier: "DmarcFigures",
  description: "Numbers of mails in DMARC reports."
})
export type DmarcFigures = typeof DmarcFigures.Type

export const DmarcRow = Schema.Struct({
  source: Schema.optionalKey(Schema.String).pipe(
    described("With `groupBy=source`: the IP address that sent, or `other` for the smallest ones of busy days.")
  ),
  own: Schema.optionalKey(Schema.Boolean).pipe(
    described("With `groupBy=source`: whether mail from there had a valid signature of this service.")
  ),
  reporter: Schema.optionalKey(Schema.String).pipe(described("With `groupBy=reporter`: who made the reports.")),
  day: Schema.optionalKey(Schema.String).pipe(
    described("With `groupBy=day`: the UTC day on which the reports begin, as `2026-03-01`.")
  ),
  ...figures
}).annotate({ identifier: "DmarcRow", description: "The mails of one source, reporter or day." })
export type DmarcRow = typeof DmarcRow.Type

export const DmarcSummary = Schema.Struct({
  totals: DmarcFigures,
  rows: Schema.Array(DmarcRow).pipe(described("The most mails first; days: the latest first.")),
  advice: Schema.String.pipe(
    described("What to do next, by the reports of the last 30 days; empty if nothing is to do.")
  )
}).annotate({ identifier: "DmarcSummary", description: "What DMARC reports say about the mail from a domain." })
export type DmarcSummary = typeof DmarcSummary.Type
