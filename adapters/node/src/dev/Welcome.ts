/** What dev mode prints when it is ready: a line for programs, or a text for people. */
import type { Listening } from "@posthorn/core/mail/submission/Submission"
import type { DevState } from "./DevState.ts"

/** The fields of the line, in this order. */
export interface Welcome
  extends Pick<DevState, "publicKey" | "secretKey" | "projectId" | "email" | "password" | "domain"> {
  /** The URL of the server on this machine. */
  readonly url: string
  /** Null: it is switched off. */
  readonly console: string | null
  /** The page of the captured emails. */
  readonly mailbox: string
  /** The SMTP URL that mail goes to. */
  readonly smtp: string
  /** The SMTP URLs of the submission service. Absent if its port is not set. */
  readonly submission?: Listening | undefined
  readonly pid: number
}

export const welcomeLine = (welcome: Welcome): string => {
  const { url, publicKey, secretKey, projectId, email, password, domain, mailbox, smtp, submission, pid } = welcome
  const common = {
    url,
    console: welcome.console,
    publicKey,
    secretKey,
    projectId,
    email,
    password,
    domain,
    mailbox,
    smtp
  }
  return JSON.stringify({ ...common, ...(submission && { submission }), pid })
}

/** A command that can be pasted into a shell. */
export const firstMail = ({ url, secretKey, domain }: Pick<Welcome, "url" | "secretKey" | "domain">): string =>
  `curl -s ${url}/v1/send \\
    -H 'Authorization: Bearer ${secretKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"from":"hello@${domain}","to":"you@example.com","subject":"Hello","body":"<p>It works.</p>"}'`

/** The ports of the submission service. */
const submissionLine = ({ submission }: Welcome): string => {
  if (submission === undefined) return ""
  const { starttls, tls } = submission.ports
  const places = [
    ...(starttls === null ? [] : [`smtp://${submission.host}:${starttls}`]),
    ...(tls === null ? [] : [`smtps://${submission.host}:${tls}`])
  ]
  return `  Submission  ${places.join(", ")}   any user name, the secret key as password\n`
}

export const welcomePage = (
  welcome: Welcome,
  {
    version,
    dataDir,
    sendsTo
  }: {
    readonly version: string
    readonly dataDir: string
    /** The SMTP URL of a configured server; undefined if all email goes to the mailbox. */
    readonly sendsTo?: string | undefined
  }
) =>
  `
  Posthorn ${version}, development mode

  API         ${welcome.url}   reference at ${welcome.url}/docs
${welcome.console === null ? "" : `  Console     ${welcome.console}\n`}  Mailbox     ${welcome.mailbox}
  Secret key  ${welcome.secretKey}
  Public key  ${welcome.publicKey}
  Project     ${welcome.projectId}
  Account     ${welcome.email}   password ${welcome.password}
  Domain      ${welcome.domain} (verified)
  SMTP        ${welcome.smtp}${sendsTo === undefined ? "   takes mail of any application, without login" : ""}
${submissionLine(welcome)}${sendsTo === undefined ? "" : `\n  Mail leaves to ${sendsTo} (POSTHORN_SMTP_URL), to its real recipients. The mailbox keeps copies.\n`}
  Send a first mail:

  ${firstMail(welcome)}

  Keys and mails are kept in ${dataDir}. Ctrl+C ends it.
`
