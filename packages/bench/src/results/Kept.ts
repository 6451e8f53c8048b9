/** Figures stored with the sources: JSON in `packages/bench/results`, each with its origin. */
import { execFile } from "node:child_process"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { DateTime, Effect } from "effect"
import { describe, type Machine } from "../machine/Machine.ts"

export const folder = fileURLToPath(new URL("../../results", import.meta.url))

export interface Origin {
  /** When the run started; ISO 8601. */
  readonly at: string
  /** The commit of the sources, with a plus sign if files had changed since. */
  readonly commit: string
  /** The command that repeats the run. */
  readonly command: string
  readonly machine: Machine
}

export type Kept<A> = A & { readonly origin: Origin }

const run = promisify(execFile)

const git = (...args: ReadonlyArray<string>) =>
  Effect.option(
    Effect.tryPromise(async () =>
      (await run("git", [...args], { cwd: folder.slice(0, -"/results".length) })).stdout.trim()
    )
  )

const commit = Effect.gen(function* () {
  const head = yield* git("rev-parse", "--short=10", "HEAD")
  const changes = yield* git("status", "--porcelain", "--untracked-files=no", "--", "*.ts")
  if (head._tag === "None") return "unknown"
  return changes._tag === "Some" && changes.value === "" ? head.value : `${head.value}+`
})

/** The npm script with its arguments, without those for the output and for storing. */
const commandOf = (script: string, given: ReadonlyArray<string>): string => {
  const said = given.filter((word, at) => word !== "--keep" && word !== "--out" && given[at - 1] !== "--out")
  return `npm run ${script}${said.length > 0 ? ` -- ${said.join(" ")}` : ""}`
}

/** Call it before the run starts. A drawn seed becomes part of the command. */
export const origin = Effect.fnUntraced(function* (
  script: string,
  postgres: Machine["postgres"],
  seed?: string
): Effect.fn.Return<Origin> {
  const words = process.argv.slice(2)
  const given = seed === undefined || words.includes("--seed") ? words : [...words, "--seed", seed]
  const at = DateTime.formatIso(yield* DateTime.now)
  return { at, commit: yield* commit, command: commandOf(script, given), machine: describe(postgres) }
})

/** Empty if nothing is stored yet. */
export const read = <A>(name: string): Effect.Effect<ReadonlyArray<Kept<A>>> =>
  Effect.promise(async () => {
    const text = await readFile(join(folder, `${name}.json`), "utf8").catch(() => "[]")
    const rows: ReadonlyArray<Kept<A>> = JSON.parse(text)
    return rows
  })

/** Replaces stored figures of the same names, and keeps the others. */
export const keep = Effect.fnUntraced(function* <A>(
  name: string,
  rows: ReadonlyArray<Kept<A>>,
  nameOf: (row: A) => string
) {
  const kept = yield* read<A>(name)
  const next = new Map([...kept, ...rows].map((row) => [nameOf(row), row]))
  const text = `${JSON.stringify([...next.values()], null, 1)}\n`
  yield* Effect.promise(async () => {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, `${name}.json`), text)
  })
})
