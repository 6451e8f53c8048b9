/** Gives commands access to the database. Its modules are loaded only when a command needs them. */

import { Effect, FileSystem, Layer, Option } from "effect"
import { Command } from "effect/cli"
import { addressOf } from "../api/Connection.ts"
import { CommandFailure } from "../Failure.ts"
import { databaseFolderOption, dataDirOf, orVariable } from "../options/Server.ts"
import * as Profiles from "../session/Profiles.ts"
import * as Session from "../session/Session.ts"

/** Options of commands that need the database: the one of POSTHORN_DATABASE_URL, otherwise the embedded one. */
export const databaseOptions = { dataDir: databaseFolderOption }

export interface DatabaseInput {
  readonly dataDir: string | undefined
}

const inUse = "FOLDER_IN_USE"
const byLogin = "Or log in to the running service with `posthorn login`; this command then needs no database."

const layer = (input: DatabaseInput) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./OperatorServices.ts")),
      (services) => services.layer(input.dataDir)
    )
  ).pipe(
    Layer.catchTag("FolderInUse", ({ message }) =>
      Layer.effectContext(
        Effect.fail(new CommandFailure({ exit: "failed", code: inUse, message, suggestion: byLogin }))
      )
    )
  )

/** For a command with `databaseOptions`. */
export const withOperator = <const Name extends string, Input extends DatabaseInput, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) => Command.provide(command, layer)

/** For the part of a command that needs the database. */
export const asOperator = <A, E, R>(effect: Effect.Effect<A, E, R>, input: DatabaseInput) =>
  Effect.provide(effect, layer(input))

/** Whether a database is configured. With neither a database nor a login, the command reports the missing database. */
const isAtHand = Effect.fnUntraced(function* ({ dataDir }: DatabaseInput) {
  const fs = yield* FileSystem.FileSystem
  const url = yield* orVariable(undefined, "POSTHORN_DATABASE_URL")
  if (url !== undefined || dataDir !== undefined) return true
  const hasFolder = yield* Effect.orElseSucceed(fs.exists(yield* dataDirOf(undefined)), () => false)
  return hasFolder || Option.isNone(yield* Profiles.find(undefined))
})

/** The current login, if it is for the development server of the folder. For any other login, the folder is used. */
const loginThere = Effect.fnUntraced(function* ({ dataDir }: DatabaseInput) {
  const url = yield* addressOf(undefined, dataDir)
  return Option.filter(yield* Profiles.find(undefined), ({ profile }) => profile.url === url)
})

/** Uses the database. Uses the login instead if there is no database, or if the server of the login has it open. */
export const asOperatorOr = <E, R, E2, R2>(
  operator: Effect.Effect<void, E, R>,
  withLogin: (named: Profiles.Named) => Effect.Effect<void, E2, R2>,
  { profile, ...input }: DatabaseInput & { readonly profile: string | undefined }
) =>
  Effect.gen(function* () {
    if (profile !== undefined || !(yield* isAtHand(input))) return yield* withLogin(yield* Session.required(profile))
    yield* asOperator(operator, input).pipe(
      Effect.catchIf(
        (error) => error instanceof CommandFailure && error.code === inUse,
        Effect.fnUntraced(function* (failure) {
          const login = yield* loginThere(input)
          if (Option.isNone(login)) return yield* Effect.fail(failure)
          yield* withLogin(login.value)
        })
      )
    )
  })
