/** Gives commands the database, and loads what that takes only then. */
import { Effect, FileSystem, Layer, Option } from "effect"
import { Command } from "effect/cli"
import { databaseFolderOption, dataDirOf } from "../options/DataDir.ts"
import { orVariable } from "../options/Environment.ts"
import * as Profiles from "../session/Profiles.ts"

/** Options of commands that need the database itself: that of POSTHORN_DATABASE_URL, else the embedded one. */
export const databaseOptions = { dataDir: databaseFolderOption }

export interface DatabaseInput {
  readonly dataDir: string | undefined
}

const layer = (input: DatabaseInput) =>
  Layer.unwrap(
    Effect.map(
      Effect.promise(() => import("./OperatorServices.ts")),
      (services) => services.layer(input.dataDir)
    )
  )

/** For a command with `databaseOptions`. */
export const withOperator = <const Name extends string, Input extends DatabaseInput, ContextInput, E, R>(
  command: Command.Command<Name, Input, ContextInput, E, R>
) => Command.provide(command, layer)

/** For the part of a command that needs it. */
export const asOperator = <A, E, R>(effect: Effect.Effect<A, E, R>, input: DatabaseInput) =>
  Effect.provide(effect, layer(input))

/**
 * Whether there is a database for what a login could do as well. Where there is neither, there should be one: the command
 * then tells that it is missing.
 */
export const isAtHand = Effect.fnUntraced(function* ({ dataDir }: DatabaseInput) {
  const fs = yield* FileSystem.FileSystem
  const url = yield* orVariable(undefined, "POSTHORN_DATABASE_URL")
  if (url !== undefined || dataDir !== undefined) return true
  const hasFolder = yield* Effect.orElseSucceed(fs.exists(yield* dataDirOf(undefined)), () => false)
  return hasFolder || Option.isNone(yield* Profiles.find(undefined))
})
