import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { version } from "../Version.ts"
import { consoleCheck } from "./ConsoleCheck.ts"

/** The folder of a console of this version. */
const consoleOf = (its: string, isBuilt: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-doctor-console-"))
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "@posthorn/console", version: its }))
  if (isBuilt) {
    mkdirSync(join(folder, "dist"))
    writeFileSync(join(folder, "dist/stamp"), "stamp")
  }
  return () => folder
}

const found = (folder: (() => string) | undefined, mode: "dev" | "serve" = "serve", hasConsole = true) =>
  Effect.map(
    consoleCheck({ settings: { hasConsole } } as Parameters<typeof consoleCheck>[0], mode, folder),
    ({ state, found, fix }) => `${state}: ${found} ${fix}`.trim()
  )

it.effect("the console is switched on, built, and of the version of the server", () =>
  Effect.gen(function* () {
    assert.match(yield* found(consoleOf(version, true)), /^ok: /)
    assert.match(yield* found(consoleOf(version, false), "dev"), /^ok: /)
    assert.match(yield* found(consoleOf(version, false)), /^warning: .* not built.* npm run build/)
    assert.match(
      yield* found(consoleOf("99.0.0", true)),
      new RegExp(`^warning: .*99\\.0\\.0.*npm install @posthorn/console@${version.replaceAll(".", "\\.")}`)
    )
    assert.match(
      yield* found(() => {
        throw new Error("not found")
      }),
      /^warning: .* not installed.* npm install/
    )
    assert.match(yield* found(consoleOf("99.0.0", false), "serve", false), /^skipped: /)
  })
)

it.effect("the console of this installation is found", () =>
  Effect.map(found(undefined, "dev"), (line) => assert.match(line, /^ok: /))
)
