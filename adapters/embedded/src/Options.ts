/** What an application says when it takes Posthorn in. */

import type { Settings } from "@posthorn/core/Settings"
import type { Mailer } from "@posthorn/core/sending/Mailer"
import { Data, type Layer } from "effect"
import type { PgPool } from "./host/PoolSql.ts"

export interface PosthornOptions {
  /**
   * `postgres://...`; or a `Pool` of `pg` that the application has and closes; or a folder for an embedded database that
   * this process then has to itself. The tables live in a schema of their own, so the database may be the application's.
   */
  readonly database: string | { readonly pool: PgPool } | { readonly dataDir: string }
  /** Schema of the database that holds the tables; it is made where it is missing. Default `posthorn`. */
  readonly schema?: string | undefined
  /** SMTP URLs in order of failover, as `POSTHORN_SMTP_URL` takes them; or a transport of the application's own. */
  readonly mailer: { readonly smtp: string } | Layer.Layer<Mailer>
  /** Base of the links in mails: where the application serves `fetch`. */
  readonly publicUrl: string
  /** At least 32 bytes; the same at every start. Signs links and cursors, seals DKIM keys. */
  readonly secret: string
  /** The secret before the present one: still believed, so that it can be replaced without a break. */
  readonly previousSecret?: string | undefined
  /** Whether this process also hands mail over and runs the periodic jobs. Default true. */
  readonly workers?: boolean | undefined
  /** Folder for uploaded images. Default: `uploads` in `dataDir`; without one, uploads answer 503. */
  readonly uploads?: string | undefined
  /** DNS servers for domain checks, `host` or `host:port`. Default: those of the machine. */
  readonly dnsServers?: ReadonlyArray<string> | undefined
  /** Limits and times; see each field for its default. */
  readonly settings?: Partial<Omit<Settings, "publicUrl" | "version">> | undefined
  /** Receives what would be logged, one record at a time. Default: nobody; nothing is ever written to a stream. */
  readonly onLog?: ((record: LogRecord) => void) | undefined
}

export interface LogRecord {
  readonly level: string
  readonly message: string
  readonly at: Date
  readonly fields: Readonly<Record<string, unknown>>
}

/** An option has a value that cannot work; the message says which and what would. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{ readonly message: string }> {}
