/** Many large requests at once, and such as are too large or nonsense (fault matrix F23). */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Installation } from "./Installation.ts"
import * as Ledger from "./Ledger.ts"
import * as Load from "./Load.ts"
import { installation, isThere } from "./OnPostgres.ts"

const megabyte = 1024 * 1024

const isMeasured = existsSync("/proc/self/status")
if (!isMeasured) console.warn("\nSKIPPED: memory under large requests. This system has no /proc to read it from.\n")

/** The most memory that the process ever had, in MB (proc(5)). */
const peak = (pid: number) =>
  Effect.map(
    Effect.promise(() => readFile(`/proc/${pid}/status`, "utf8")),
    (status) => Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024
  )

it.live.skipIf(!isThere || !isMeasured)(
  "a crowd of requests with ten megabytes each is taken or asked to come back, within bounded memory",
  () =>
    Effect.gen(function* () {
      const {
        api,
        senders: [project]
      } = yield* Installation
      const post = (more: object, to = "large@example.com") =>
        Load.post(api.url, { project, body: { ...Load.mailTo(project, [to]), ...more } }, { patience: 120_000 })
      const file = (content: string) => ({ filename: "large.bin", content })
      const attachments = Array.from({ length: 10 }, () => file(Buffer.alloc(megabyte - 1, "x").toString("base64")))

      const before = yield* peak(api.pid)
      const answers = yield* Effect.replicateEffect(post({ attachments }), 25, { concurrency: "unbounded" })
      for (const { status } of answers) assert.include([200, 503], status)
      const accepted = answers.filter(({ status }) => status === 200).length
      assert.isAbove(accepted, 0)
      assert.lengthOf(yield* Ledger.entries, accepted)

      assert.strictEqual((yield* post({ attachments: [file("%".repeat(10 * megabyte))] })).status, 422)
      assert.strictEqual((yield* post({ body: "x".repeat(41 * megabyte) })).status, 413)
      // All of them at once would take above a gigabyte.
      assert.isBelow((yield* peak(api.pid)) - before, 600)
      assert.strictEqual((yield* post({ attachments }, "afterwards@example.com")).status, 200, "there is room again")
    }).pipe(Effect.provide(installation({ projects: 1 }))),
  300_000
)
