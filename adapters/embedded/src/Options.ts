/** The options of an embedded Posthorn. */

import type { ProviderInput } from "@posthorn/core/mail/shaping/ProviderSettings"
import type { Mailer } from "@posthorn/core/platform/Mailer"
import type { Settings } from "@posthorn/core/platform/Settings"
import { Data, type Layer } from "effect"
import type { PgPool } from "./host/PoolSql.ts"

interface Options {
  /**
   * `postgres://...`; or a `Pool` of `pg` that the application owns and closes; or a folder for an embedded database,
   * which only this process may use. The tables are in their own schema, so the database may be the application's.
   */
  readonly database: string | { readonly pool: PgPool } | { readonly dataDir: string }
  /** The schema of the tables; it is created if it is missing. Default `posthorn`. */
  readonly schema?: string | undefined
  /** The base of the links in emails: the URL at which the application serves `fetch`. */
  readonly publicUrl: string
  /** At least 32 bytes, the same at every start. It signs links and cursors and encrypts DKIM keys. */
  readonly secret: string
  /** Earlier secrets, newest first. They remain valid for existing links and keys, so the secret can be replaced. */
  readonly previousSecrets?: ReadonlyArray<string> | undefined
  /** One more earlier secret, newer than those of `previousSecrets`. */
  readonly previousSecret?: string | undefined
  /** Whether this process also sends email and runs the periodic jobs. Default true. */
  readonly workers?: boolean | undefined
  /** The folder for uploaded images. Default: `uploads` in `dataDir`; without a `dataDir`, uploads answer 503. */
  readonly uploads?: string | undefined
  /** DNS servers for domain checks, `host` or `host:port`. Default: the DNS servers of the machine. */
  readonly dnsServers?: ReadonlyArray<string> | undefined
  /**
   * Limits and times; each field has its own default. `signups` defaults to `first`: if the application serves `fetch`,
   * the first account can sign up, and all others need an invitation.
   */
  readonly settings?: Partial<Omit<Settings, "publicUrl" | "version">> | undefined
  /**
   * Mailbox providers in addition to the shipped ones, or with limits of their own. They are stored at the start, unless
   * the database has the provider already.
   */
  readonly providers?: ReadonlyArray<ProviderInput> | undefined
  /**
   * Whether `fetch` answers `/mcp`: the API as tools for language models, with an API key. Models find the documentation
   * that they read at `/llms.txt` and `/docs/*.md`. Needs the package `@posthorn/mcp`. Default false.
   */
  readonly mcp?: boolean | undefined
  /** Receives the log records, one at a time. By default they are dropped. Nothing is ever written to a stream. */
  readonly onLog?: ((record: LogRecord) => void) | undefined
}

/** SMTP URLs in order of failover, in the form of `POSTHORN_SMTP_URL`; or a transport of the application. */
export type MailerOption = { readonly smtp: string } | Layer.Layer<Mailer>

export type PosthornOptions = Options &
  (
    | {
        readonly dev?: false | undefined
        readonly mailer: MailerOption
      }
    | {
        /**
         * For development only. Emails go to a mailbox, with pages at `<publicUrl>/dev/mailbox` for this machine;
         * webhooks may call this machine; domains under `.test` need no DNS; log records contain errors in full.
         */
        readonly dev: true
        /** Default: the mailbox. With a mailer, the mailbox keeps copies. */
        readonly mailer?: MailerOption | undefined
      }
  )

export interface LogRecord {
  readonly level: string
  readonly message: string
  readonly at: Date
  readonly fields: Readonly<Record<string, unknown>>
}

/** An option has an invalid value. The message names the option and the valid values. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<{ readonly message: string }> {}
