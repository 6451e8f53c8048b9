/** What a row finds when it is run. */
import { Context, type Effect } from "effect"
import type { BenchFailure } from "./BenchFailure.ts"
import type { AudienceDatabase } from "./seed/Audiences.ts"
import type { MailDatabase } from "./seed/Mailed.ts"

export class Bench extends Context.Service<
  Bench,
  {
    /** A database of the PostgreSQL server to make others from; undefined where no server answers. */
    readonly postgres: string | undefined
    /** A folder for files of this run; it is removed at the end. */
    readonly folder: string
    /** The path of the program that servers run; made when the first of them asks for it. */
    readonly program: Effect.Effect<string, BenchFailure>
    /** Folder that the processes of the service leave their CPU profiles in; undefined: none are made. */
    readonly profiles: string | undefined
    /** Contacts of small to large audiences; each ten times that before it. */
    readonly audienceSizes: ReadonlyArray<number>
    /** The large audience of the rows that only read; made when the first of them asks for it, for all of them. */
    readonly audience: Effect.Effect<AudienceDatabase, BenchFailure>
    /** Much mail and what became of it, likewise. */
    readonly mail: Effect.Effect<MailDatabase, BenchFailure>
  }
>()("@posthorn/bench/Bench") {}
