/** Percentages with one decimal, as the analytics show them. 0 for a whole of 0. Pure. */
export const percentage = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 1_000) / 10

/** The same of the mail to a mailbox provider. */
export const providerRates = <
  Counts extends {
    readonly sent: number
    readonly delivered: number
    readonly opened: number
    readonly clicked: number
    readonly bounced: number
  }
>(
  counts: Counts
) => ({
  ...counts,
  deliveryRate: percentage(counts.delivered, counts.sent),
  openRate: percentage(counts.opened, counts.sent),
  clickRate: percentage(counts.clicked, counts.sent),
  bounceRate: percentage(counts.bounced, counts.sent)
})
