/** Email over SMTP: `Compose.layer` is the composer, `Smtp.layer` the mailer of @posthorn/core/platform/Mailer. */
export * as Compose from "./Compose.ts"
export * as Smtp from "./Smtp.ts"
export * as SmtpUrl from "./SmtpUrl.ts"
