const earliest = Date.UTC(1970, 0, 1)
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/**
 * An instant as a database timestamp, limited to years that rows can have. PostgreSQL and JavaScript write dates
 * outside of these years differently.
 */
export const timestamp = (instant: number): Date => new Date(Math.min(Math.max(instant, earliest), latest))
