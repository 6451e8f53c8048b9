/** Texts of the environment that name a place: URLs, origins, DNS servers. */
import { Resolver } from "node:dns"
import { Result } from "effect"

/** http or https, without login, query and fragment; comes back without a slash at the end. */
export const webUrl = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") return undefined
  return url.href.replace(/\/+$/, "")
}

/** Scheme, host and port, nothing more; comes back as browsers send it in `Origin`. */
export const webOrigin = (text: string): string | undefined => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && webUrl(text) === url.origin ? url.origin : undefined
}

/** `address` or `address:port`, IPv6 in brackets when a port follows. */
export const dnsServer = (text: string): string | undefined =>
  Result.isSuccess(Result.try(() => new Resolver().setServers([text]))) ? text : undefined

/** A PostgreSQL URL; the failure holds nothing of it, as a password may be anywhere in what is no URL. */
export const databaseUrl = (text: string): Result.Result<string, string> => {
  const url = URL.parse(text)
  if (!/^postgres(?:ql)?:\/\//.test(text)) return Result.fail("does not begin with postgres://")
  if (url === null) return Result.fail("is no URL (percent-encode @ / ? # % in user and password)")
  return Result.succeed(text)
}

/** A URL for people: without login and options. */
export const withoutLogin = (text: string): string => {
  const url = URL.parse(text)
  return url === null ? "(not a URL)" : `${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`
}
