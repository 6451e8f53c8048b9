/** Parsers for URLs, origins and DNS servers in environment variables. */

import { Resolver } from "node:dns"
import { isLoopback } from "@posthorn/platform-node/mailbox/DevOnly"
import { Redacted, Result } from "effect"

/** http or https, without login, query and fragment. The result has no slash at the end. */
export const webUrl = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return undefined
  return url.href.replace(/\/+$/, "")
}

/** An https URL, or an http URL of this machine. The text is not changed, because tokens contain it in this form. */
export const issuer = (text: string): string | undefined => {
  const url = webUrl(text) === undefined ? null : URL.parse(text)
  return url !== null && (url.protocol === "https:" || isLoopback(url.hostname)) ? text : undefined
}

/** Scheme, host and port only. The result has the form that browsers send in `Origin`. */
export const webOrigin = (text: string): string | undefined => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && webUrl(text) === url.origin ? url.origin : undefined
}

const urlWith =
  (...schemes: ReadonlyArray<string>) =>
  (text: string): Result.Result<Redacted.Redacted<string>, string> => {
    const url = URL.parse(text)
    if (!schemes.some((scheme) => text.startsWith(`${scheme}://`))) {
      return Result.fail(`does not begin with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`)
    }
    if (url === null) return Result.fail("is not a URL (percent-encode @ / ? # % in user and password)")
    if (url.hostname === "") return Result.fail("names no host")
    return Result.succeed(Redacted.make(text))
  }

/** With a user, a password and the number of a database, if needed. */
export const redisUrl = urlWith("redis", "rediss")
/** With a user and a password, if needed. */
export const natsUrl = urlWith("nats", "tls")

/** `address` or `address:port`, IPv6 in brackets when a port follows. */
export const dnsServer = (text: string): string | undefined =>
  Result.isSuccess(Result.try(() => new Resolver().setServers([text]))) ? text : undefined

/**
 * A PostgreSQL URL of one host: only a proxy or a name that the failover moves says which server of several may be
 * written to (OPERATIONS.md). The failure quotes nothing, because an invalid URL may contain a password anywhere. */
export const databaseUrl = (text: string): Result.Result<string, string> => {
  const url = URL.parse(text)
  if (!/^postgres(?:ql)?:\/\//.test(text)) return Result.fail("does not begin with postgres://")
  if (/^postgres(?:ql)?:\/\/(?:[^/?#]*@)?[^/?#@]*,/.test(text)) {
    return Result.fail("names several hosts; name the proxy or the address that leads to the primary")
  }
  if (url === null) return Result.fail("is not a URL (percent-encode @ / ? # % in user and password)")
  return Result.succeed(text)
}
