/** A correct SMTP peer with TLS and logins, on loopback, made with smtp-server. */
import { SMTPServer, type SMTPServerOptions } from "smtp-server"
import { makeCertificate } from "./Certificate.ts"

export interface SmtpServerPeer {
  readonly port: number
  readonly mails: ReadonlyArray<{
    readonly from: string
    readonly rcpt: string
    readonly user: string | undefined
    readonly isEncrypted: boolean
    readonly raw: Buffer
  }>
  readonly close: () => Promise<void>
}

/**
 * Accepts only the login `user` and `password`. The options set whether TLS and logins are offered or required, and the
 * certificate; the default is a self-signed one for 127.0.0.1.
 */
export const startSmtpServer = async (options: SMTPServerOptions = {}): Promise<SmtpServerPeer> => {
  const mails: Array<SmtpServerPeer["mails"][number]> = []
  const server = new SMTPServer({
    ...makeCertificate("127.0.0.1"),
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 50,
    onAuth: ({ password, username }, _session, done) =>
      username === "user" && password === "password"
        ? done(null, { user: username })
        : done(Object.assign(new Error("Invalid login"), { responseCode: 535 })),
    onData: (stream, session, done) => {
      const chunks: Array<Buffer> = []
      stream.on("data", (chunk) => chunks.push(chunk))
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          rcpt: rcptTo.map(({ address }) => address).join(),
          user: typeof session.user === "string" ? session.user : undefined,
          isEncrypted: session.secure,
          raw: Buffer.concat(chunks)
        })
        done()
      })
    },
    ...options
  })
  server.on("error", () => {})
  const port = await new Promise<number>((listening) => {
    const listener = server.listen(0, "127.0.0.1", () => {
      const bound = listener.address()
      listening(typeof bound === "object" && bound !== null ? bound.port : 0)
    })
  })
  return { port, mails, close: () => new Promise((closed) => server.close(() => closed())) }
}
