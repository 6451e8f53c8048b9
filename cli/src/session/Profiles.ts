/**
 * The logins of the user, by profile: `profiles.json` in the user's configuration folder, readable only by the user. It
 * contains sessions. Each gives access, like a password, for a week.
 */

import { homedir } from "node:os"
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { Flag } from "effect/cli"
import { CommandFailure } from "../Failure.ts"
import { optional } from "../options/Options.ts"
import { orVariable } from "../options/Server.ts"

export const profileOption = Flag.String("profile").pipe(
  Flag.withMetavar("<name>"),
  Flag.withDescription("Name of the login to use; default: the latest `posthorn login`"),
  optional
)

const Project = Schema.Struct({ id: Schema.String, name: Schema.String, publicKey: Schema.String })

const Profile = Schema.Struct({
  url: Schema.String,
  email: Schema.String,
  /** The value of the session cookie. */
  session: Schema.String,
  /** The project of commands without a key. */
  project: Schema.optionalKey(Project)
})
export type Profile = typeof Profile.Type

const Profiles = Schema.Struct({ current: Schema.String, profiles: Schema.Record(Schema.String, Profile) })
type Profiles = typeof Profiles.Type

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Profiles))

const none: Profiles = { current: "default", profiles: {} }

const folder = Effect.gen(function* () {
  const path = yield* Path.Path
  const given = yield* orVariable(undefined, "XDG_CONFIG_HOME")
  const windows = process.platform === "win32" ? yield* orVariable(undefined, "APPDATA") : undefined
  return path.join(given ?? windows ?? path.join(homedir(), ".config"), "posthorn")
})

const file = Effect.gen(function* () {
  const path = yield* Path.Path
  return path.join(yield* folder, "profiles.json")
})

const unusable = (name: string) =>
  new CommandFailure({
    exit: "failed",
    code: "UNUSABLE_PROFILES",
    message: `${name} cannot be used.`,
    suggestion: "Remove it, and log in again with `posthorn login`."
  })

const read = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const name = yield* file
  const text = yield* Effect.option(fs.readFileString(name))
  return Option.isNone(text) ? none : yield* Effect.mapError(decode(text.value), () => unusable(name))
})

/** A new file replaces the old one atomically, so a crash leaves the old or the new file. */
const write = Effect.fnUntraced(function* (profiles: Profiles) {
  const fs = yield* FileSystem.FileSystem
  const name = yield* file
  yield* Effect.gen(function* () {
    yield* fs.makeDirectory(yield* folder, { recursive: true, mode: 0o700 })
    const fresh = `${name}.${process.pid}`
    yield* fs.writeFileString(fresh, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 })
    yield* fs.rename(fresh, name)
  }).pipe(Effect.mapError(() => unusable(name)))
})

export interface Named {
  readonly name: string
  readonly profile: Profile
}

/** The profile with this name; without a name, the current profile. */
export const find = Effect.fnUntraced(function* (given: string | undefined) {
  const { current, profiles } = yield* read
  const name = given ?? current
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  return Option.map(Option.fromUndefinedOr(profile), (profile): Named => ({ name, profile }))
})

/** Adds or replaces a profile. With `use`, it becomes the current one. */
export const keep = Effect.fnUntraced(function* ({ name, profile }: Named, use = false) {
  const { current, profiles } = yield* read
  yield* write({ current: use ? name : current, profiles: { ...profiles, [name]: profile } })
})

export const forget = Effect.fnUntraced(function* (gone: string) {
  const { current, profiles } = yield* read
  yield* write({ current, profiles: Object.fromEntries(Object.entries(profiles).filter(([name]) => name !== gone)) })
})
