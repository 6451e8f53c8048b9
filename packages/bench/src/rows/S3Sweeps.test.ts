/** The row of rounds over segments in its short form: a few projects, which a round leaves alone. */
import { assert, describe, it } from "@effect/vitest"
import type {} from "@posthorn/core/testing/template"
import { Effect } from "effect"
import { inject } from "vitest"
import { Bench } from "../Bench.ts"
import * as S3 from "./S3Sweeps.ts"

const postgres = inject("postgres")?.url

describe.skipIf(postgres === undefined)("the row of rounds over segments", () => {
  it.live(
    "measures idle projects, which wait for no worker after it",
    () =>
      Effect.gen(function* () {
        const none = Effect.die("the row does not ask for it")
        const bench = {
          postgres,
          folder: "",
          program: none,
          profiles: undefined,
          audienceSizes: [],
          audience: none,
          mail: none,
          console: none
        }
        const cases = Effect.provideService(S3.row.cases, Bench, bench)
        for (const { posthorn } of yield* cases) {
          for (const round of ["first", "second"]) {
            const { value } = yield* Effect.scoped(posthorn({ seconds: 1, mails: 50 }))
            assert.isTrue(Number.isFinite(value) && value > 0, round)
          }
        }
      }).pipe(Effect.scoped),
    60_000
  )
})
