/** What rows share that compare several worker processes with one. */
import { Effect } from "effect"
import * as Server from "../processes/Server.ts"
import type { Case, Run } from "../Row.ts"

export const start = (row: string, count: number, options: Pick<Server.Options, "database" | "smtp">) =>
  Effect.all(
    Array.from({ length: count }, (_, n) =>
      Server.start({ name: `${row} worker ${n + 1}`, role: "worker", ...options })
    ),
    { concurrency: "unbounded" }
  )

/** Two and four workers. `rate` measures that of each of them. */
export const cases = (rate: (workers: number) => Run, { unit, target }: Pick<Case, "target" | "unit">): Array<Case> =>
  [2, 4].map((workers) => ({
    name: `each of ${workers} workers`,
    ...{ unit, target, posthorn: rate(workers), baselines: { "one worker": rate(1) } }
  }))
