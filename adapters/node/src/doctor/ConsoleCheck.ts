/** Checks that the server can show the console: it is switched on, built, and of the version of the server. */
import { existsSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Effect, Option, Schema } from "effect"
import type { Config, RunMode } from "../Config.ts"
import { version } from "../Version.ts"
import { type Finding, ok, skipped, warning } from "./Finding.ts"

const check = "console"

const home = () => fileURLToPath(new URL("..", import.meta.resolve("@posthorn/console")))

const versionIn = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))

const versionOf = (folder: string) =>
  Effect.tryPromise(() => readFile(join(folder, "package.json"), "utf8")).pipe(
    Effect.flatMap(versionIn),
    Effect.map((manifest) => manifest.version),
    Effect.option
  )

/** `folder`: that of the package of the console. */
export const consoleCheck = Effect.fnUntraced(function* (
  { settings: { hasConsole } }: Pick<Config, "settings">,
  mode: RunMode,
  folder: () => string = home
): Effect.fn.Return<Finding> {
  if (!hasConsole) return skipped(check, "POSTHORN_CONSOLE is off.")
  const found = yield* Effect.option(Effect.try(folder))
  if (Option.isNone(found)) {
    return warning(
      check,
      "The package @posthorn/console is not installed, so there is no console.",
      `Run: npm install @posthorn/console@${version}. Or set POSTHORN_CONSOLE=off.`
    )
  }
  const other = Option.filter(yield* versionOf(found.value), (one) => one !== version)
  if (Option.isSome(other)) {
    return warning(
      check,
      `The console has version ${other.value}, and the server ${version}.`,
      `Run: npm install @posthorn/console@${version}.`
    )
  }
  if (mode === "dev") return ok(check, "posthorn dev builds it when its sources change.")
  // The build writes it last.
  return existsSync(join(found.value, "dist/stamp"))
    ? ok(check, "It is built, and has the version of the server.")
    : warning(check, "The console is not built, so its pages answer 503.", "Run: npm run build -w @posthorn/console.")
})
