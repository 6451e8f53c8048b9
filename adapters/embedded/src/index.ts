/** Posthorn inside an application. */
export { createPosthorn, type Posthorn } from "./createPosthorn.ts"
export type { Services } from "./Doors.ts"
export type { HostTransaction, PgClient, PostgresTransaction } from "./host/Drivers.ts"
export type { PgPool } from "./host/PoolSql.ts"
export { InvalidOption, type LogRecord, type PosthornOptions } from "./Options.ts"
export { CannotJoin, MailRefused } from "./TransactionDoor.ts"
