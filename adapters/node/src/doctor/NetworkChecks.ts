/** The network: the way out for mail, the names, and the way in for links. */

import { isIP } from "node:net"
import { DnsResolver } from "@posthorn/core/dns/DnsResolver"
import { Smtp } from "@posthorn/mailer-smtp"
import { Effect, Option } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { Config } from "../Config.ts"
import * as NodeDnsResolver from "../dns/NodeDnsResolver.ts"
import { type Finding, failed, ok, skipped, warning } from "./Finding.ts"

const patience = "20 seconds"

export const smtpChecks = Effect.fn("Doctor.smtp")(function* ({ mode, transports }: Config) {
  if (transports === undefined) {
    return [skipped("smtp", mode === "dev" ? "Mail goes into the dev mailbox." : "This role sends no mail.")]
  }
  return yield* Effect.forEach(
    transports,
    (transport, position): Effect.Effect<Finding> => {
      const check = `smtp${position + 1}`
      const place = `${transport.host}:${transport.port}`
      const fix =
        "Check host, port, user and password in POSTHORN_SMTP_URL, and that a firewall lets the connection out."
      return Smtp.verifyLogin(transport, check).pipe(
        Effect.map(({ isEncrypted }) =>
          isEncrypted || transport.login === undefined
            ? ok(
                check,
                `${place} is ready${transport.login === undefined ? "" : " and takes the login"}${isEncrypted ? ", encrypted" : ""}.`
              )
            : warning(
                check,
                `${place} takes the login, but the connection is not encrypted.`,
                "Use smtps://, or a server with STARTTLS."
              )
        ),
        Effect.timeoutOption(patience),
        Effect.map(Option.getOrElse(() => failed(check, `${place} does not answer.`, fix))),
        Effect.catch((error) => Effect.succeed(failed(check, `${place} is not ready: ${error.message}`, fix)))
      )
    },
    { concurrency: "unbounded" }
  )
})

/** A name that has been there for long, and answers everywhere. */
const wellKnown = "example.com"

export const dnsCheck = Effect.fn("Doctor.dns")(function* ({ dnsServers }: Config) {
  const host = wellKnown
  const servers = dnsServers.length === 0 ? "the servers of the system" : dnsServers.join(", ")
  const fix = "Name servers that can be reached in POSTHORN_DNS_SERVERS; without them no domain can be verified."
  return yield* Effect.gen(function* () {
    const { nameExists } = yield* (yield* DnsResolver).txt(host)
    return nameExists
      ? ok("dns", `Names are answered by ${servers}.`)
      : failed("dns", `Asked for ${host}, ${servers} say that it does not exist.`, fix)
  }).pipe(
    Effect.catch((error) => Effect.succeed(failed("dns", `${error.message}, asking ${servers}.`, fix))),
    Effect.provide(NodeDnsResolver.layer({ servers: dnsServers }))
  )
})

const isLocal = (hostname: string): boolean =>
  hostname === "localhost" || /^127\./.test(hostname) || hostname === "[::1]" || hostname.endsWith(".localhost")

const reached = (url: string) =>
  HttpClient.get(`${url}/health`).pipe(
    Effect.map(({ status }) => status === 200),
    Effect.timeoutOption("5 seconds"),
    Effect.map(Option.getOrElse(() => false)),
    Effect.catch(() => Effect.succeed(false)),
    Effect.provide(FetchHttpClient.layer)
  )

/** Where links in mails lead; it can be reached only while the service runs. */
export const publicUrlCheck = Effect.fn("Doctor.publicUrl")(function* ({ mode, publicUrl }: Config) {
  if (publicUrl === undefined) {
    return mode === "dev"
      ? skipped("public url", "Links in mails lead to this machine.")
      : warning(
          "public url",
          "POSTHORN_PUBLIC_URL is not set, so links in mails lead to this machine.",
          "Set it to the address that recipients reach, such as https://mail.example.com."
        )
  }
  const { hostname, protocol } = new URL(publicUrl)
  if (isLocal(hostname) && mode !== "dev") {
    return warning(
      "public url",
      `${publicUrl} is this machine only.`,
      "Set POSTHORN_PUBLIC_URL to the address that recipients reach."
    )
  }
  if (protocol === "http:" && mode !== "dev") {
    return warning(
      "public url",
      `${publicUrl} is not https, so mails have no one-click unsubscribe (RFC 8058).`,
      "Put TLS in front of the service, and set POSTHORN_PUBLIC_URL to the https address."
    )
  }
  if (isIP(hostname) !== 0 && mode !== "dev") {
    return warning(
      "public url",
      `${publicUrl} is an address, not a name.`,
      "Give the service a name in the DNS; many mailboxes distrust links to addresses."
    )
  }
  return (yield* reached(publicUrl))
    ? ok("public url", `${publicUrl} leads to a running service.`)
    : warning(
        "public url",
        `${publicUrl}/health does not answer from here.`,
        "Start the service, and check the name, the proxy and the firewall in front of it."
      )
})
