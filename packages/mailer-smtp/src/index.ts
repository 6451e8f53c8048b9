/**
 * Email over SMTP: `Compose.layer` implements the composer, `Smtp.layer` the mailer and `ProjectServers.layer` the
 * servers of projects, all of @posthorn/core/platform/Mailer.
 */
export * as Compose from "./Compose.ts"
export * as ProjectServers from "./ProjectServers.ts"
export * as Smtp from "./Smtp.ts"
export * as SmtpUrl from "./SmtpUrl.ts"
