/** A headless Chromium that is installed on this machine, and pages of the console in it. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { type Browser, chromium } from "playwright-core"
import { BenchFailure } from "../BenchFailure.ts"

const places = [...(process.env["PATH"] ?? "").split(":"), "/usr/bin"]
/** The first one has no windows: the others start pages for them, which take time from the page that is measured. */
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** Undefined if no browser is installed. */
export const browserProgram: string | undefined = names
  .flatMap((name) => places.map((folder) => join(folder, name)))
  .find((file) => existsSync(file))

/** A step with the browser that fails with a sentence. */
export const attempt = <A>(what: string, run: () => Promise<A>): Effect.Effect<A, BenchFailure> =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new BenchFailure({ message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

/** It ends with the scope. */
export const start = Effect.gen(function* () {
  if (browserProgram === undefined) {
    return yield* new BenchFailure({ message: `No browser is installed: ${names.join(", ")}.` })
  }
  const program = browserProgram
  const launched = attempt("Chromium", () =>
    chromium.launch({
      executablePath: program,
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--enable-precise-memory-info"
      ]
    })
  )
  return yield* Effect.acquireRelease(launched, (browser: Browser) => Effect.promise(() => browser.close()))
})
