/** What the rows of the console share. */
import { Array } from "effect"
import type { Effort } from "../Row.ts"

export const about: ReadonlyArray<string> = [
  "headless Chromium on the machine of the server, window of 1280 x 800; serve on PostgreSQL with a project of --audience contacts and --mails mails and events, of the seed",
  "POSTHORN_RATE_LIMIT_PER_MINUTE=0 (a setting for this row)"
]

/** Five in a run of full length, and at least one. */
export const loads = ({ seconds }: Effort): ReadonlyArray<number> =>
  Array.range(1, Math.max(1, Math.min(5, Math.floor(seconds / 2))))
