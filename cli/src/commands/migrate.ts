import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { databaseOptions } from "../operator/WithOperator.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

const rows = (state: string, names: ReadonlyArray<string>): Block["rows"] => names.map((name) => [state, name])

export const migrate = Command.make(
  "migrate",
  {
    status: Flag.Boolean("status").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Only list migrations: applied, pending, and unknown to this version")
    ),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ status: onlyStatus, dataDir }) {
    const { migrate, status } = yield* Effect.promise(() => import("../operator/Migration.ts"))
    const { makeFilesForOwnerOnly } = yield* Effect.promise(() => import("@posthorn/node/DataDir"))
    yield* makeFilesForOwnerOnly
    if (onlyStatus) {
      const found = yield* status(dataDir)
      const { applied, missing, unknown } = found
      return yield* Output.one(found, {
        rows: [...rows("applied", applied), ...rows("missing", missing), ...rows("unknown", unknown)]
      })
    }
    const applied = yield* migrate(dataDir)
    yield* Output.one({ applied }, applied.length === 0 ? upToDate : { rows: rows("applied", applied) })
  })
).pipe(
  Command.withDescription(
    "Migrate the database. Only needed with `posthorn serve --no-migrate`; without that option, the server migrates at its start."
  ),
  Command.withShortDescription("Migrate the database"),
  Command.withExamples([
    { command: "POSTHORN_DATABASE_URL=postgres://posthorn@127.0.0.1/posthorn posthorn migrate" },
    { command: "posthorn migrate --status" }
  ])
)

const upToDate: Block = { rows: [["The database is up to date."]] }
