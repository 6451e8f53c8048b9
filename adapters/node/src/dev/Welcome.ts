/** What the dev mode prints once it is ready: a line for programs, a page for people (doors 1). */
import type { DevState } from "./DevState.ts"

/** Everything somebody needs to begin; the order is that of the line. */
export interface Welcome
  extends Pick<DevState, "publicKey" | "secretKey" | "projectId" | "email" | "password" | "domain"> {
  /** Where this machine reaches the server. */
  readonly url: string
  /** Page of the captured mails. */
  readonly mailbox: string
  /** SMTP URL that mail is handed to. */
  readonly smtp: string
  readonly pid: number
}

export const welcomeLine = (welcome: Welcome): string => {
  const { url, publicKey, secretKey, projectId, email, password, domain, mailbox, smtp, pid } = welcome
  return JSON.stringify({ url, publicKey, secretKey, projectId, email, password, domain, mailbox, smtp, pid })
}

/** Works when it is pasted into a shell. */
export const firstMail = ({ url, secretKey, domain }: Pick<Welcome, "url" | "secretKey" | "domain">): string =>
  `curl -s ${url}/v1/send \\
    -H 'Authorization: Bearer ${secretKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"from":"hello@${domain}","to":"you@example.com","subject":"Hello","body":"<p>It works.</p>"}'`

export const welcomePage = (
  welcome: Welcome,
  { version, dataDir }: { readonly version: string; readonly dataDir: string }
) =>
  `
  Posthorn ${version}, development mode

  API         ${welcome.url}   reference at ${welcome.url}/docs
  Mailbox     ${welcome.mailbox}
  Secret key  ${welcome.secretKey}
  Public key  ${welcome.publicKey}
  Project     ${welcome.projectId}
  Account     ${welcome.email}   password ${welcome.password}
  Domain      ${welcome.domain} (verified)
  SMTP        ${welcome.smtp}

  Send a first mail:

  ${firstMail(welcome)}

  Keys and mails are kept in ${dataDir}. Ctrl+C ends it.
`
