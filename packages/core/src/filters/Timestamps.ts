const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** An instant to compare rows with: no row is from outside these years, and dates beyond them have no common text form. */
export const timestamp = (instant: number): Date => new Date(Math.min(Math.max(instant, earliest), latest))
