/** Checks of the network: SMTP, DNS, and the public URL of links. */

import { isIP } from "node:net"
import { linkTarget } from "@posthorn/core/mail/domains/DomainView"
import { DnsResolver } from "@posthorn/core/platform/dns/DnsResolver"
import { defaults } from "@posthorn/core/platform/Settings"
import { Smtp } from "@posthorn/mailer-smtp"
import * as NodeDnsResolver from "@posthorn/platform-node/dns/NodeDnsResolver"
import { Effect, Option, Schema } from "effect"
import { FetchHttpClient, HttpClient } from "effect/http"
import type { Config } from "../Config.ts"
import { reachable } from "../Server.ts"
import { type Finding, failed, ok, skipped, warning } from "./Finding.ts"

const patience = "20 seconds"

export const smtpChecks = Effect.fn("Doctor.smtp")(function* ({ mode, transports }: Config) {
  if (transports === undefined) {
    return [skipped("smtp", mode === "dev" ? "Emails go to the dev mailbox." : "This role sends no emails.")]
  }
  return yield* Effect.forEach(
    transports,
    (transport, position): Effect.Effect<Finding> => {
      const check = `smtp${position + 1}`
      const place = `${transport.host}:${transport.port}`
      const fix =
        "Check host, port, user and password in POSTHORN_SMTP_URL, and that the firewall allows the connection."
      return Smtp.verifyLogin(transport, check).pipe(
        Effect.map(({ isEncrypted }) =>
          isEncrypted || transport.login === undefined
            ? ok(
                check,
                `${place} is ready${transport.login === undefined ? "" : " and accepts the login"}${isEncrypted ? ", encrypted" : ""}.`
              )
            : warning(
                check,
                `${place} accepts the login, but the connection is not encrypted.`,
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

/** A name that resolves everywhere. */
const wellKnown = "example.com"

export const dnsCheck = Effect.fn("Doctor.dns")(function* ({ dnsServers }: Config) {
  const host = wellKnown
  const servers = dnsServers.length === 0 ? "the servers of the system" : dnsServers.join(", ")
  const fix = "Set POSTHORN_DNS_SERVERS to servers that this machine can reach; without DNS no domain can be verified."
  return yield* Effect.gen(function* () {
    const { nameExists } = yield* (yield* DnsResolver).txt(host)
    return nameExists
      ? ok("dns", `${servers} resolve names.`)
      : failed("dns", `${servers} say that ${host} does not exist.`, fix)
  }).pipe(
    Effect.catch((error) => Effect.succeed(failed("dns", `${error.message}, from ${servers}.`, fix))),
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

const Ready = Schema.Struct({ checks: Schema.Struct({ eventLoop: Schema.Literals(["ok", "degraded", "skipped"]) }) })
const decodeReady = Schema.decodeUnknownOption(Ready)

/** Whether the service on this machine answers in time. */
export const eventLoopCheck = Effect.fn("Doctor.eventLoop")(function* ({ host, port }: Config) {
  const answer = yield* HttpClient.get(`http://${reachable(host)}:${port}/ready`).pipe(
    Effect.flatMap(({ json }) => json),
    Effect.timeoutOption("5 seconds"),
    Effect.map(Option.flatMap(decodeReady)),
    Effect.catch(() => Effect.succeed(Option.none())),
    Effect.provide(FetchHttpClient.layer)
  )
  if (Option.isNone(answer)) return skipped("event loop", `No service on port ${port} reports its event loop delay.`)
  switch (answer.value.checks.eventLoop) {
    case "skipped":
      return skipped("event loop", "The service has just started; it measures for ten seconds first.")
    case "ok":
      return ok("event loop", "The running service answers in time.")
    case "degraded":
      return warning(
        "event loop",
        "The event loop of the running service was late in the last minute: at most by more than 1 second, or at the 99th percentile by more than 100 ms.",
        "Look at posthorn_event_loop_delay_max_seconds in /metrics and at the log. Give the service its own CPU core, or start another process."
      )
  }
})

/** Whether customers can use their own hosts in links. */
export const linkHostCheck = Effect.fn("Doctor.linkHost")(function* ({
  mode,
  publicUrl,
  settings,
  dnsServers
}: Config) {
  const check = "link host"
  if (mode === "dev") return skipped(check, "A development server has no link hosts.")
  const target = publicUrl === undefined ? settings.linkHost : linkTarget({ ...defaults, ...settings, publicUrl })
  const fix = "If customers should have link hosts, set POSTHORN_LINK_HOST to a host name of this service."
  if (target === undefined)
    return skipped(check, `The public URL is more than a host name, so there are no link hosts. ${fix}`)
  return yield* Effect.gen(function* () {
    const { values } = yield* (yield* DnsResolver).address(target)
    return values.length > 0
      ? ok(check, `CNAME records of customers can point to ${target}.`)
      : warning(check, `${target} has no IP address, so link hosts of customers do not work.`, fix)
  }).pipe(
    Effect.catch((error) => Effect.succeed(warning(check, error.message, fix))),
    Effect.provide(NodeDnsResolver.layer({ servers: dnsServers }))
  )
})

/** Whether receivers may send reports about other organisations' domains to the bounce domain (RFC 9990 4). */
export const dmarcReportCheck = Effect.fn("Doctor.dmarcReports")(function* ({ settings, dnsServers }: Config) {
  const check = "dmarc reports"
  const { bounceDomain } = settings
  if (bounceDomain === undefined) {
    return skipped(check, "Without POSTHORN_BOUNCE_DOMAIN there is no address for DMARC reports.")
  }
  const name = `*._report._dmarc.${bounceDomain}`
  const fix = `Publish TXT ${name} with the value v=DMARC1; in DNS. Without it, receivers send no reports about domains of other organisations.`
  return yield* Effect.gen(function* () {
    const { values } = yield* (yield* DnsResolver).txt(`${wellKnown}._report._dmarc.${bounceDomain}`)
    return values.some((value) => /^v[ \t]*=[ \t]*DMARC1[ \t]*(?:;|$)/.test(value))
      ? ok(check, `Receivers may send reports about any domain to addresses at ${bounceDomain}.`)
      : warning(check, `${name} has no TXT record with v=DMARC1;.`, fix)
  }).pipe(
    Effect.catch((error) => Effect.succeed(warning(check, error.message, fix))),
    Effect.provide(NodeDnsResolver.layer({ servers: dnsServers }))
  )
})

/** Whether there is a contact for reports of vulnerabilities. */
export const securityContact = ({ mode, settings }: Config): Finding => {
  if (settings.securityContacts.length > 0) {
    return ok("security contact", `/.well-known/security.txt names ${settings.securityContacts.join(", ")}.`)
  }
  return mode === "dev"
    ? skipped("security contact", "A development server does not need one.")
    : warning(
        "security contact",
        "There is no /.well-known/security.txt, which says where to report a vulnerability.",
        "Set POSTHORN_SECURITY_CONTACT to an address, such as security@example.com."
      )
}

/** Checks the URL of links in mail. The URL answers only while the service runs. */
export const publicUrlCheck = Effect.fn("Doctor.publicUrl")(function* ({ mode, publicUrl }: Config) {
  if (publicUrl === undefined) {
    return mode === "dev"
      ? skipped("public url", "Links in emails lead to this machine.")
      : warning(
          "public url",
          "POSTHORN_PUBLIC_URL is not set, so links in emails lead to this machine.",
          "Set it to a URL that recipients can reach, such as https://mail.example.com."
        )
  }
  const { hostname, protocol } = new URL(publicUrl)
  if (isLocal(hostname) && mode !== "dev") {
    return warning(
      "public url",
      `Only this machine can reach ${publicUrl}.`,
      "Set POSTHORN_PUBLIC_URL to a URL that recipients can reach."
    )
  }
  if (protocol === "http:" && mode !== "dev") {
    return warning(
      "public url",
      `${publicUrl} is not https, so emails have no one-click unsubscribe (RFC 8058).`,
      "Put TLS in front of the service, and set POSTHORN_PUBLIC_URL to the https address."
    )
  }
  if (isIP(hostname) !== 0 && mode !== "dev") {
    return warning(
      "public url",
      `${publicUrl} has an IP address instead of a host name.`,
      "Give the service a name in DNS; many mailbox providers distrust links to IP addresses."
    )
  }
  return (yield* reached(publicUrl))
    ? ok("public url", `${publicUrl} leads to a running service.`)
    : warning(
        "public url",
        `${publicUrl}/health does not answer this machine.`,
        "Start the service, and check its DNS name, proxy and firewall."
      )
})
