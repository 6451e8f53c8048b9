/** What `npm run hostile` finds in a server with planted faults. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { hostileFields, type Options } from "./HostileFields.ts"

const planted = Effect.acquireRelease(
  Effect.promise(async () => {
    const file = fileURLToPath(new URL("PlantedServer.ts", import.meta.url))
    const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] })
    const [url]: ReadonlyArray<unknown> = await once(child.stdout.setEncoding("utf8"), "data")
    return { child, pid: child.pid ?? 0, url: String(url).trim() }
  }),
  ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
)

const fieldOf = (finding: string) => finding.split(",")[0]

const options: Options = { shapes: 1, longest: 30_000, mostStanding: 100, quick: 20 }

const attack = Effect.fnUntraced(function* (more: Partial<Options>) {
  const { pid, url } = yield* planted
  const target = {
    pid,
    url,
    headersOf: () => ({}),
    sampleOf: () => ({ name: "News" }),
    pathOf: ({ path }: { readonly path: string }) => path
  }
  return yield* Effect.promise(() => hostileFields(target, { ...options, ...more }))
})

describe("hostileFields", () => {
  it.effect("finds work that grows with the square of a text, and work that blocks others", () =>
    Effect.gen(function* () {
      const fields = ["body", "text", "source"].map((name) => `templates.create ${name}`)
      const { findings, ratio, stop } = yield* attack({
        fields: (field) => fields.includes(field),
        only: (_, shape) => shape === "<"
      })
      const found = findings.filter((finding) => finding.includes("faster than linear")).map(fieldOf)
      assert.deepStrictEqual([...new Set(found)], ["templates.create body"])
      assert.deepStrictEqual([...new Set(findings.map(fieldOf))], ["templates.create body", "templates.create text"])
      assert.isAbove(ratio.value, 3.2)
      assert.match(ratio.text, /^templates.create body, </)
      assert.isAbove(stop.value, 100)
    }).pipe(Effect.scoped)
  )

  it.effect("finds a text among others that are sent at the same time", () =>
    Effect.gen(function* () {
      // Eight shapes at once, of which one is quadratic.
      const { findings } = yield* attack({
        fields: (field) => field === "templates.create body",
        longest: 16_000,
        shapes: 8,
        only: (_, shape) => "<>&;@,.:".includes(shape)
      })
      assert.deepStrictEqual(
        findings.map((finding) => finding.split(": ")[0]),
        ["templates.create body, <"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("finds nothing in work that is the same for every text", () =>
    Effect.gen(function* () {
      const { findings, texts } = yield* attack({ fields: (field) => field === "templates.create name", shapes: 16 })
      assert.deepStrictEqual([findings, texts], [[], 16])
    }).pipe(Effect.scoped)
  )

  it.effect("continues where the time of a run ended", () =>
    Effect.gen(function* () {
      const fields = (field: string) => field.startsWith("topics.create ")
      const whole = yield* attack({ fields })
      assert.isAbove(whole.fields, 3)
      assert.isUndefined(whole.next)
      const first = yield* attack({ fields, duration: 0 })
      assert.isDefined(first.next)
      const rest = yield* attack({ fields, from: first.next ?? 0 })
      assert.deepStrictEqual([first.fields + rest.fields, rest.next], [whole.fields, undefined])
    }).pipe(Effect.scoped)
  )
})
