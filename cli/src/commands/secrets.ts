import type { SealedCount, SecretRotation } from "@posthorn/core/service/secrets/SecretRotation"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { databaseOptions } from "../operator/WithOperator.ts"
import * as Output from "../output/Output.ts"

/** Loads the services of these commands only when one of them runs. */
const withSecrets = <A>(dataDir: string | undefined, use: (rotation: SecretRotation["Service"]) => Effect.Effect<A>) =>
  Effect.gen(function* () {
    const { SecretRotation } = yield* Effect.promise(() => import("@posthorn/core/service/secrets/SecretRotation"))
    const { layer } = yield* Effect.promise(() => import("../operator/SecretServices.ts"))
    return yield* SecretRotation.use(use).pipe(Effect.provide(layer(dataDir)))
  }).pipe(
    Effect.catchTag("FolderInUse", ({ message }) =>
      Effect.fail(
        new CommandFailure({
          exit: "failed",
          code: "FOLDER_IN_USE",
          message,
          suggestion: "The process that runs there renews everything at its start. Stop it to run this command."
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
    "Seal with POSTHORN_SECRET what the secrets of POSTHORN_SECRET_PREVIOUS sealed: keys of domains, secrets of webhooks " +
      "and workflows, waiting links, and the keys of erased addresses. It may be stopped and run again at any time; " +
      "workers do the same at their start and once a day. Links in sent emails cannot be renewed."
  ),
  Command.withShortDescription("Seal everything with the present secret"),
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
      head: ["sealed", "rows", "need a previous secret", "do not open"],
      rows: counts.map(({ what, rows, previous, lost }) => [what, rows, previous, lost])
    },
    {
      rows: [
        ...(more.renewed === undefined ? [] : [["renewed", more.renewed]]),
        ["need a previous secret", needPrevious],
        ["do not open", lost]
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
    "Count what is sealed in the database, and what of it needs a secret of POSTHORN_SECRET_PREVIOUS. With none left, " +
      "those secrets are only needed for links in sent emails and for sessions."
  ),
  Command.withShortDescription("Count what still needs a previous secret"),
  Command.withExamples([{ command: "posthorn secrets status" }, { command: "posthorn secrets status --json" }])
)

export const secrets = Command.make("secrets").pipe(
  Command.withDescription("Data sealed with POSTHORN_SECRET; for operators, needs the database"),
  Command.withExamples([{ command: "posthorn secrets rotate" }, { command: "posthorn secrets status" }]),
  Command.withSubcommands([rotate, status])
)
