/** Checks of the submission service: its ports and its certificate. */
import { X509Certificate } from "node:crypto"
import { connect, isIP } from "node:net"
import { DateTime, Effect } from "effect"
import type { Config } from "../Config.ts"
import * as TlsFiles from "../submission/TlsFiles.ts"
import { type Finding, failed, ok, skipped, warning } from "./Finding.ts"

const check = "submission"
const soonDays = 14

const certificateFinding = Effect.fnUntraced(function* (files: TlsFiles.TlsFiles, host: string | undefined) {
  const { cert } = yield* TlsFiles.read(files)
  const found = new X509Certificate(cert)
  const end = DateTime.fromDateUnsafe(found.validToDate)
  const now = yield* DateTime.now
  const until = `until ${DateTime.formatIsoDateUtc(end)}`
  const renew = "Renew it; the service reads the files again when they change."
  if (DateTime.isLessThanOrEqualTo(end, now)) return failed(check, `The certificate was valid ${until}.`, renew)
  const isFor = (name: string) => (isIP(name) === 0 ? found.checkHost(name) : found.checkIP(name)) !== undefined
  if (host !== undefined && !isFor(host)) {
    return warning(
      check,
      `The certificate is not for ${host}.`,
      "Use a certificate for the host name that clients connect to."
    )
  }
  if (DateTime.isLessThan(end, DateTime.add(now, { days: soonDays }))) {
    return warning(check, `The certificate is valid ${until}.`, renew)
  }
  return ok(check, `The certificate is valid ${until}.`)
})

/** The greeting of the server on a port. Undefined if there is none. */
const greeting = (host: string, port: number): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const socket = connect({ host, port, timeout: 3_000 })
    const end = (text: string | undefined) => {
      socket.destroy()
      resume(Effect.succeed(text))
    }
    socket.once("data", (data) => end(data.toString("latin1").split("\r\n", 1)[0]))
    socket.once("timeout", () => end(""))
    socket.once("error", () => end(undefined))
  })

/** If another program uses the port, the start fails. */
const portFinding = Effect.fnUntraced(function* (host: string, port: number) {
  const heard = yield* greeting(host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host, port)
  if (heard === undefined) return ok(check, `Port ${port} is free.`)
  return /^220 .*ESMTP/.test(heard)
    ? ok(check, `Port ${port} answers.`)
    : failed(
        check,
        `Another program listens on port ${port}.`,
        "Stop it, or choose another port with POSTHORN_SUBMISSION_PORT."
      )
})

export const submissionChecks = Effect.fn("Doctor.submission")(function* ({ publicUrl, submission }: Config) {
  if (submission === undefined)
    return [skipped(check, "The submission service is off, because POSTHORN_SUBMISSION_PORT is not set.")]
  const { certificate, host, ports } = submission
  const name = publicUrl === undefined ? undefined : new URL(publicUrl).hostname.replace(/^\[|\]$/g, "")
  const encryption: Finding =
    certificate === undefined
      ? ok(check, "Logins are not encrypted; only programs on this machine can connect.")
      : yield* Effect.catch(certificateFinding(certificate, name), ({ message }) =>
          Effect.succeed(failed(check, message, "Correct the paths, or the files."))
        )
  const port: Finding =
    ports.starttls === null || ports.starttls === 0
      ? skipped(check, "No fixed port with STARTTLS is set.")
      : yield* portFinding(host, ports.starttls)
  return [encryption, port]
})
