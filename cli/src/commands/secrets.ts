import type { SealedCount, SecretRotation } from "@posthorn/core/service/secrets/SecretRotation"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { databaseOptions } from "../operator/Operator.ts"
import * as Output from "../output/Output.ts"

/** Loads the services only when one of these commands runs. */
const withSecrets = <A>(dataDir: string | undefined, use: (rotation: SecretRotation["Service"]) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    const { SecretRotation } = yield* Effect.promise(() => import("@posthorn/core/service/secrets/SecretRotation"))
    const { secretServices } = yield* Effect.promise(() => import("../operator/OperatorDatabase.ts"))
    return yield* SecretRotation.use(use).pipe(Effect.provide(secretServices(dataDir)))
  }).pipe(
    Effect.catchTag("FolderInUse", ({ message }) =>
      Effect.fail(
        new CommandFailure({
          exit: "failed",
          code: "FOLDER_IN_USE",
          message,
          suggestion: "The running process re-encrypts everything at its start. Stop it to run this command."
        })
      )
    )
  )

const rotate = Command.make(
  "rotate",
  databaseOptions,
  Effect.fnUntraced(function* ({ dataDir }) {
    const [renewed, counts] = yield* withSecrets(dataDir, ({ rotate, status }) => Effect.all([rotate, status]))
    yield* answer(counts, { renewed })
  })
).pipe(
  Command.withDescription(
    "Re-encrypt with POSTHORN_SECRET what secrets of POSTHORN_SECRET_PREVIOUS encrypted: keys of domains, secrets of " +
      "webhooks and workflows, waiting links, and the keys of erased addresses. Can be stopped and run again at any time. " +
      "Workers do the same at their start and once a day. Links in sent mail cannot be changed."
  ),
  Command.withShortDescription("Re-encrypt everything with the current secret"),
  Command.withExamples([{ command: "posthorn secrets rotate" }])
)

const sum = (counts: ReadonlyArray<SealedCount>, of: "previous" | "lost") =>
  counts.reduce((total, count) => total + count[of], 0)

/** The result of both commands. */
const answer = (counts: ReadonlyArray<SealedCount>, more: { readonly renewed?: number } = {}) => {
  const needPrevious = sum(counts, "previous")
  const lost = sum(counts, "lost")
  return Output.one(
    { ...more, needPrevious, lost, counts },
    {
      head: ["encrypted", "rows", "need a previous secret", "cannot be decrypted"],
      rows: counts.map(({ what, rows, previous, lost }) => [what, rows, previous, lost])
    },
    {
      rows: [
        ...(more.renewed === undefined ? [] : [["renewed", more.renewed]]),
        ["need a previous secret", needPrevious],
        ["cannot be decrypted", lost]
      ]
    }
  )
}

const status = Command.make(
  "status",
  databaseOptions,
  Effect.fnUntraced(function* ({ dataDir }) {
    const counts = yield* withSecrets(dataDir, ({ status }) => status)
    yield* answer(counts)
  })
).pipe(
  Command.withDescription(
    "Count the encrypted rows of the database, and those that need a secret of POSTHORN_SECRET_PREVIOUS. If none does, " +
      "only links in sent mail and sessions still need those secrets."
  ),
  Command.withShortDescription("Count the rows that need a previous secret"),
  Command.withExamples([{ command: "posthorn secrets status" }, { command: "posthorn secrets status --json" }])
)

export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Data encrypted with POSTHORN_SECRET; for operators, needs the database"),
  Command.withExamples([{ command: "posthorn secrets rotate" }, { command: "posthorn secrets status" }]),
  Command.withSubcommands([rotate, status])
)
