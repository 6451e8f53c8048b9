/** The service in a separate process, as an operator starts it. */
import { join } from "node:path"
import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { secret } from "../Seed.ts"
import * as Child from "./Child.ts"

export type Environment = Readonly<Record<string, string>>

export interface Options {
  /** For messages and profiles. */
  readonly name: string
  readonly role: "api" | "worker" | "all"
  /** The URL of PostgreSQL; undefined: the embedded database in `dataDir`. */
  readonly database?: string | undefined
  /** Default: a new folder. */
  readonly dataDir?: string | undefined
  readonly smtp?: string | undefined
  readonly environment?: Environment | undefined
}

let servers = 0

/** The URL in the readiness line; empty for a worker. */
const urlOf = (line: string) => /https?:\/\/[\w.:[\]-]+/.exec(line)?.[0] ?? ""

/** Returns once the server is ready. */
export const start = Effect.fnUntraced(function* ({ database, dataDir, environment, name, role, smtp }: Options) {
  const { folder, profiles, program } = yield* Bench
  const number = ++servers
  const child = yield* Child.start({
    name,
    argv: [
      ...(profiles === undefined ? [] : ["--cpu-prof", `--cpu-prof-dir=${profiles}`]),
      ...(profiles === undefined ? [] : [`--cpu-prof-name=${name.replaceAll(" ", "-")}-${number}.cpuprofile`]),
      yield* program,
      "serve"
    ],
    environment: {
      POSTHORN_ROLE: role,
      POSTHORN_SECRET: secret,
      POSTHORN_PUBLIC_URL: "https://posthorn.example",
      POSTHORN_DATA_DIR: dataDir ?? join(folder, `data-${number}`),
      POSTHORN_LOG_LEVEL: "warn",
      ...(role === "worker" ? {} : { POSTHORN_PORT: "0" }),
      ...(database === undefined ? {} : { POSTHORN_DATABASE_URL: database }),
      ...(smtp === undefined ? {} : { POSTHORN_SMTP_URL: smtp }),
      ...environment
    }
  })
  const line = yield* child.firstLine
  if (!line.includes("ready")) return yield* new BenchFailure({ message: `${name}: it said ${line}` })
  return { ...child, url: urlOf(line) }
})
export type Server = Effect.Success<ReturnType<typeof start>>
