/** What a row finds when it is run. */
import { Context } from "effect"

export class Bench extends Context.Service<
  Bench,
  {
    /** A database of the PostgreSQL server to make others from; undefined where no server answers. */
    readonly postgres: string | undefined
    /** A folder for files of this run; it is removed at the end. */
    readonly folder: string
    /** Folder that the processes of the service leave their CPU profiles in; undefined: none are made. */
    readonly profiles: string | undefined
  }
>()("@posthorn/bench/Bench") {}
