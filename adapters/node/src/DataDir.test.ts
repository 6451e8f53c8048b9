import { chmodSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import { Effect, Schema } from "effect"
import { makeDataDir } from "./DataDir.ts"
import { send } from "./testing/ApiCall.ts"
import { readiness, start } from "./testing/Program.ts"

/** The permission bits of the group and of all other users. */
const open = (path: string) => statSync(path).mode & 0o077

const Line = Schema.Struct({ url: Schema.String, secretKey: Schema.String })

it.effect("a data folder that other users can open is closed to them, and the process keeps its umask", () =>
  Effect.gen(function* () {
    const folder = newFolder()
    chmodSync(folder, 0o755)
    const before = process.umask()
    yield* makeDataDir(folder)
    assert.strictEqual(open(folder), 0)
    assert.strictEqual(process.umask(), before)
  })
)

it.live(
  "other users can read no file of a server, whatever the umask of the process",
  () =>
    Effect.gen(function* () {
      const folder = newFolder()
      chmodSync(folder, 0o755)
      const program = yield* start(["dev", "--json"], { POSTHORN_PORT: "0", POSTHORN_DATA_DIR: folder })
      yield* send(yield* readiness(program, Line), "anna@example.com")
      assert.strictEqual(yield* program.end("SIGTERM"), 0)
      // The permissions of the folder protect the files of PGlite.
      const entries = readdirSync(folder)
      assert.includeMembers(entries, ["database", "dev.json", "mailbox"])
      assert.deepStrictEqual(
        entries.filter((entry) => open(join(folder, entry)) !== 0),
        []
      )
      assert.strictEqual(open(folder), 0)
    }),
  180_000
)
