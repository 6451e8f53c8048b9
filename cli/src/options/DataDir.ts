/** The option for the data folder of an installation. */
import { Effect } from "effect"
import { Flag } from "effect/cli"
import { orVariable } from "./Environment.ts"
import { optional } from "./Optional.ts"

const option = (what: string) =>
  Flag.String("data-dir").pipe(
    Flag.withMetavar("<folder>"),
    Flag.withDescription(`${what}; default: POSTHORN_DATA_DIR, then ./.posthorn`),
    optional
  )

export const dataDirOption = option("Data folder")

/** For commands that need the database. */
export const databaseFolderOption = option("Folder of the embedded database, unless POSTHORN_DATABASE_URL is set")

/** For commands that call the API. */
export const devFolderOption = option("Data folder of `posthorn dev`")

export const dataDirOf = (option: string | undefined): Effect.Effect<string> =>
  Effect.map(orVariable(option, "POSTHORN_DATA_DIR"), (folder) => folder ?? "./.posthorn")
