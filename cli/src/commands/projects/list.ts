import { Effect, Stream } from "effect"
import { Command } from "effect/cli"
import { Operator } from "../../operator/Operator.ts"
import { projectRecord } from "../../operator/ProjectText.ts"
import { asOperatorOr, databaseOptions } from "../../operator/WithOperator.ts"
import * as Output from "../../output/Output.ts"
import * as Profiles from "../../session/Profiles.ts"
import * as Session from "../../session/Session.ts"

const inDatabase = Effect.gen(function* () {
  const { projects } = yield* Operator
  yield* Output.list(Stream.fromIterable((yield* projects.list).map(projectRecord)), {
    head: ["name", "state", "id", "public key"],
    row: ({ name, disabledReason, id, publicKey }) => [name, disabledReason ?? "enabled", id, publicKey],
    none: "There are no projects yet. `posthorn accounts create` makes an account with its first one."
  })
})

const withLogin = Effect.fnUntraced(function* (named: Profiles.Named) {
  yield* Output.list(Stream.fromIterable(yield* Session.projects(named)), {
    head: ["name", "state", "id", "public key"],
    row: ({ name, disabledReason, id, public: publicKey }) => [name, disabledReason ?? "enabled", id, publicKey],
    none: "You have no projects yet."
  })
})

export const list = Command.make("list", { profile: Profiles.profileOption, ...databaseOptions }, (input) =>
  asOperatorOr(inDatabase, withLogin, input)
).pipe(
  Command.withDescription(
    "List the projects of the installation, over the database; where there is none, those of the logged-in user"
  ),
  Command.withExamples([{ command: "posthorn projects list --json" }])
)
