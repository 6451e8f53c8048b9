/** Posthorn inside an application. */
import "./NodeVersion.ts"

export { DatabaseRefused } from "@posthorn/platform-node/postgres/Postgres"
export type { ConsoleOptions, ConsoleUser } from "./console/ConsoleOptions.ts"
export type { MountedConsole } from "./console/Mount.ts"
export { createPosthorn, type Posthorn } from "./createPosthorn.ts"
export type { EnsuredProject, EnsureOptions } from "./EnsureProject.ts"
export type { HostTransaction, PgClient, PostgresTransaction } from "./host/Drivers.ts"
export type { PgPool } from "./host/PoolSql.ts"
export type { EmbeddedServices as Services } from "./Layers.ts"
export { InvalidOption, type LogRecord, type MailerOption, type PosthornOptions } from "./Options.ts"
export { CannotJoin, MailRefused } from "./Transactions.ts"
