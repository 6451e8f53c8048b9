/** The context in which rows run. */
import { Context, type Effect } from "effect"
import type { BenchFailure } from "./BenchFailure.ts"
import type { AudienceDatabase } from "./seed/Audiences.ts"
import type { ConsoleProject } from "./seed/ConsoleSeeded.ts"
import type { MailDatabase } from "./seed/Mailed.ts"

/** What the rows of one run share. A service, because each run makes its own. */
export class Bench extends Context.Service<
  Bench,
  {
    /** A database of the PostgreSQL server that is used to create others; undefined if no server answers. */
    readonly postgres: string | undefined
    /** A folder for the files of this run; it is removed at the end. */
    readonly folder: string
    /** The path of the program that servers run; built on first use. */
    readonly program: Effect.Effect<string, BenchFailure>
    /** The folder for CPU profiles of the service's processes; undefined: no profiles. */
    readonly profiles: string | undefined
    /** Contacts of small to large audiences; each ten times the size before. */
    readonly audienceSizes: ReadonlyArray<number>
    /** The large audience that the read-only rows share; created on first use. */
    readonly audience: Effect.Effect<AudienceDatabase, BenchFailure>
    /** The large set of emails and their events, created in the same way. */
    readonly mail: Effect.Effect<MailDatabase, BenchFailure>
    /** The project that the rows of the console look at, created in the same way. */
    readonly console: Effect.Effect<ConsoleProject, BenchFailure, Bench>
  }
>()("@posthorn/bench/Bench") {}
