import { Effect } from "effect"
import * as Cluster from "/work/main/packages/bench/src/chaos/Cluster.ts"
import * as Installation from "/work/main/packages/bench/src/chaos/Installation.ts"
import * as Outage from "/work/main/packages/bench/src/chaos/Outage.ts"
import { writeFileSync } from "node:fs"
const program = Effect.gen(function* () {
  const cluster = yield* Cluster.make
  for (let n = 0; n < 6; n++) {
    const databaseUrl = yield* cluster.database("o" + n)
    yield* Effect.scoped(Effect.gen(function* () {
      const { api } = yield* Installation.Installation
      const found = yield* Effect.exit(Outage.outages(cluster, { seed: "s" + n, mails: 600, workers: 2, outages: 4, downMilliseconds: 300 }))
      const log = api.log()
      writeFileSync("/tmp/outdbg-" + n + ".log", log)
      if (found._tag === "Failure") { console.log(String(found.cause)); console.log(log.split("\n").filter((l) => /Request failed/.test(l)).map((l) => l.slice(0, 600)).filter(l => !/ConnectionError|57P/.test(l)).slice(0, 3).join("\n")) } else console.log(n, found.value.violations, found.value.accepted, found.value.extra)
    })).pipe(Effect.provide(Installation.layer({ databaseUrl, projects: 2 })))
  }
})
await Effect.runPromise(Effect.scoped(program))
