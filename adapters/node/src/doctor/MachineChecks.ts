/** Checks of the machine: free disk space, and the permissions of the data folder. */
import { constants } from "node:fs"
import { access, stat, statfs } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { ByteSize, Effect, Option } from "effect"
import type { Config } from "../Config.ts"
import { type Finding, failed, ok, skipped, warning } from "./Finding.ts"

const enoughRoom = 1024 ** 3
const littleRoom = 100 * 1024 ** 2

/** The folder itself, or its nearest existing parent. */
const nearest = (folder: string): Effect.Effect<string> =>
  Effect.flatMap(Effect.option(Effect.tryPromise(() => stat(folder))), (found) =>
    Option.isSome(found) || dirname(folder) === folder ? Effect.succeed(folder) : nearest(dirname(folder))
  )

const disk = Effect.fnUntraced(function* (folder: string) {
  const { bavail, bsize } = yield* Effect.tryPromise(() => statfs(folder))
  const free = bavail * bsize
  const room = `${ByteSize.format(ByteSize.bytes(free))} are free in ${folder}.`
  if (free >= enoughRoom) return ok("disk", room)
  const fix = "Free disk space, or choose another folder with POSTHORN_DATA_DIR."
  return free >= littleRoom ? warning("disk", room, fix) : failed("disk", room, fix)
})

const isWritableFolder = (path: string) =>
  Effect.tryPromise(async () => (await stat(path)).isDirectory() && access(path, constants.W_OK).then(() => true)).pipe(
    Effect.catch(() => Effect.succeed(false))
  )

/** The folder contains keys, a secret and email. */
const folder = Effect.fnUntraced(function* (folder: string) {
  const there = yield* nearest(folder)
  if (!(yield* isWritableFolder(there))) {
    return failed(
      "data folder",
      `${there} is not writable.`,
      "Make the user that runs Posthorn its owner, or choose another folder with POSTHORN_DATA_DIR."
    )
  }
  if (there !== folder) return ok("data folder", `${folder} will be created at the first start.`)
  const { mode } = yield* Effect.orDie(Effect.tryPromise(() => stat(folder)))
  return (mode & 0o077) === 0
    ? ok("data folder", `Only its owner can open ${folder}.`)
    : warning("data folder", `Other users of this machine can open ${folder}.`, `Run 'chmod 700 ${folder}'.`)
})

export const machineChecks = Effect.fn("Doctor.machine")(function* ({ databaseUrl, dataDir, mode }: Config) {
  if (databaseUrl !== undefined && mode !== "dev") {
    return [skipped("data folder", "Everything is in the database.")]
  }
  const home = resolve(dataDir)
  const room = yield* Effect.catch(
    disk(yield* nearest(home)),
    (error): Effect.Effect<Finding> => Effect.succeed(skipped("disk", `The free space is unknown (${error.message}).`))
  )
  return [room, yield* folder(home)]
})
