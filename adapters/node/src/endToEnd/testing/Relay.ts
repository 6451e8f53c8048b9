/** A mail server with TLS and a login, for the transports of projects. Server processes trust its certificate. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { newFolder } from "@posthorn/core/testing/DataFolder"
import { makeCertificate, type SmtpServerPeer, startSmtpServer } from "@posthorn/mailer-smtp/testing"
import { Effect, type Scope } from "effect"

let running: SmtpServerPeer | undefined

/** The fields of a transport that leads to the server which runs now. */
export const relayFields = () => ({
  host: "127.0.0.1",
  port: running?.port ?? 0,
  user: "user",
  password: "password"
})

/** Starts the server, and gives the variables with which a process reaches it. */
export const startRelay: Effect.Effect<
  { readonly env: Record<string, string>; readonly mails: SmtpServerPeer["mails"] },
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const certificate = makeCertificate("127.0.0.1")
  const file = join(newFolder(), "relay.pem")
  writeFileSync(file, certificate.cert)
  const { mails } = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      running = await startSmtpServer(certificate)
      return running
    }),
    (server) => Effect.promise(() => server.close())
  )
  return { mails, env: { NODE_EXTRA_CA_CERTS: file, POSTHORN_OUTBOUND_ALLOW: "127.0.0.1" } }
})
