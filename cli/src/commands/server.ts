/** Commands that run the service: `dev`, `serve`, `worker`, `migrate` and `doctor`. */

import { Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailure, Signals } from "../Failure.ts"
import { Json } from "../Json.ts"
import { databaseOptions } from "../operator/Operator.ts"
import { optional } from "../options/Options.ts"
import { dataDirOption, listeningOptions, noMigrate, portOption } from "../options/Server.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

export const dev = Command.make(
  "dev",
  {
    ...listeningOptions,
    smtpPort: portOption("smtp-port").pipe(
      Flag.withDescription(
        "SMTP port of the mailbox, 0 for a free one; default: 1025, or a free one if 1025 is in use"
      ),
      optional
    ),
    database: Flag.String("database").pipe(
      Flag.withMetavar("<url>"),
      Flag.withDescription(
        "PostgreSQL URL to use instead of the embedded database. The database is empty, or from an earlier `posthorn dev`. " +
          "POSTHORN_DATABASE_URL is ignored"
      ),
      optional
    ),
    open: Flag.Boolean("open").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Show the mailbox, the clock and /metrics to other machines too, with --host 0.0.0.0")
    )
  },
  Effect.fnUntraced(function* (options) {
    const { dev } = yield* Effect.promise(() => import("@posthorn/node/Dev"))
    const { endInOrder } = yield* Signals
    yield* endInOrder
    return yield* dev({ ...options, json: yield* Json })
  })
).pipe(
  Command.withDescription(
    "Start the whole service on this machine without settings: API, workers, an embedded database, and a mailbox that " +
      "captures all mail. Prints keys and links; the same ones at each start. Commands in the same folder find it by " +
      "themselves."
  ),
  Command.withShortDescription("Start the whole service on this machine, without settings"),
  Command.withExamples([
    { command: "posthorn dev" },
    { command: "posthorn dev --port 0 --json", description: "For scripts: one line of JSON once it is ready" }
  ])
)

export const serve = Command.make(
  "serve",
  {
    ...listeningOptions,
    role: Flag.Literals("role", ["all", "api", "worker"]).pipe(
      Flag.withDescription(
        "Answer requests (api), send email and run jobs (worker), or both (all); default: POSTHORN_ROLE, then all"
      ),
      optional
    ),
    noMigrate
  },
  Effect.fnUntraced(function* ({ noMigrate, ...options }) {
    const { serve } = yield* Effect.promise(() => import("@posthorn/node/Serve"))
    const { endInOrder } = yield* Signals
    yield* endInOrder
    return yield* serve({ ...options, migrate: !noMigrate, json: yield* Json })
  })
).pipe(
  Command.withDescription(
    "Run the service. POSTHORN_ variables configure it, and it migrates the database at its start. SIGTERM ends it in " +
      "order."
  ),
  Command.withShortDescription("Run the service"),
  Command.withExamples([
    { command: "POSTHORN_SMTP_URL=smtp://127.0.0.1:25 posthorn serve", description: "With the embedded database" },
    { command: "posthorn serve --role api --no-migrate", description: "One of many processes" }
  ])
)

export const worker = Command.make(
  "worker",
  { ...listeningOptions, noMigrate },
  Effect.fnUntraced(function* ({ noMigrate, ...options }) {
    const { serve } = yield* Effect.promise(() => import("@posthorn/node/Serve"))
    const { endInOrder } = yield* Signals
    yield* endInOrder
    return yield* serve({ ...options, role: "worker", migrate: !noMigrate, json: yield* Json })
  })
).pipe(
  Command.withDescription(
    "Deliver mail and run jobs, without the API, like `posthorn serve --role worker`. With --port it answers health " +
      "checks and serves metrics."
  ),
  Command.withShortDescription("Deliver mail and run jobs, without the API"),
  Command.withExamples([{ command: "posthorn worker" }, { command: "posthorn worker --port 9090" }])
)

const rows = (state: string, names: ReadonlyArray<string>): Block["rows"] => names.map((name) => [state, name])

export const migrate = Command.make(
  "migrate",
  {
    status: Flag.Boolean("status").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription(
        "Only list migrations: applied, pending, unknown to this version, and what remains to be done in the background"
      )
    ),
    finish: Flag.Boolean("finish").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Also do what workers otherwise do in the background; a killed command continues there")
    ),
    ...databaseOptions
  },
  Effect.fnUntraced(function* ({ status: onlyStatus, finish, dataDir }) {
    const { describeUnfinished, migrate, status } = yield* Effect.promise(
      () => import("../operator/OperatorDatabase.ts")
    )
    const { makeFilesForOwnerOnly } = yield* Effect.promise(() => import("@posthorn/node/DataDir"))
    yield* makeFilesForOwnerOnly
    if (onlyStatus) {
      const found = yield* status(dataDir)
      const { applied, missing, unfinished, unknown } = found
      return yield* Output.one(found, {
        rows: [
          ...rows("applied", applied),
          ...rows("missing", missing),
          ...rows("unknown", unknown),
          ...rows("unfinished", unfinished.map(describeUnfinished))
        ]
      })
    }
    const { applied, unfinished } = yield* migrate(dataDir, { finish })
    const done = [...rows("applied", applied), ...rows("unfinished", unfinished.map(describeUnfinished))]
    yield* Output.one({ applied, unfinished }, done.length === 0 ? upToDate : { rows: done })
  })
).pipe(
  Command.withDescription(
    "Migrate the database. Only needed with `posthorn serve --no-migrate`; without that option, the server migrates at its start. " +
      "What takes long remains `unfinished`: workers do it while servers serve."
  ),
  Command.withShortDescription("Migrate the database"),
  Command.withExamples([
    { command: "POSTHORN_DATABASE_URL=postgres://posthorn@127.0.0.1/posthorn posthorn migrate" },
    { command: "posthorn migrate --status" }
  ])
)

const upToDate: Block = { rows: [["The database is up to date."]] }

export const doctor = Command.make(
  "doctor",
  {
    dev: Flag.Boolean("dev").pipe(
      Flag.withoutNegation,
      Flag.withDefault(false),
      Flag.withDescription("Check the requirements of `posthorn dev` instead of `posthorn serve`")
    ),
    dataDir: dataDirOption
  },
  Effect.fnUntraced(function* ({ dev, dataDir }) {
    const { doctor } = yield* Effect.promise(() => import("@posthorn/node/Doctor"))
    const findings = yield* doctor(dev ? "dev" : "serve", { dataDir })
    yield* Output.list(Stream.fromIterable(findings), {
      head: ["state", "check", "found", "fix"],
      row: ({ state, check, found, fix }) => [state, check, found, fix],
      none: "There was nothing to check."
    })
    const failed = findings.filter(({ state }) => state === "failed").length
    if (failed === 0) return
    const message = `${failed} of ${findings.length} checks failed.`
    return yield* new CommandFailure({ exit: "failed", code: "CHECKS_FAILED", message })
  })
).pipe(
  Command.withDescription(
    "Check everything that a server needs to start, and show a fix for each problem: configuration, disk, database, migrations, " +
      "clock, SMTP, DNS, public URL. Nothing is changed."
  ),
  Command.withShortDescription("Check everything that a server needs to start, and show a fix for each problem"),
  Command.withExamples([{ command: "posthorn doctor" }, { command: "posthorn doctor --dev" }])
)
