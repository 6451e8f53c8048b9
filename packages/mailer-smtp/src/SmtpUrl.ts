/**
 * `smtp(s)://user:password@host:port?pool=20`, several of them comma separated in order of failover.
 *
 * Reserved characters in user and password (`@ / ? # %`) are percent-encoded. No error message contains a password, or
 * any part of the text that could belong to one.
 */

import { isIPv6 } from "node:net"
import { domainToASCII } from "node:url"
import { Data, Effect, Redacted, Result } from "effect"

export interface SmtpTransport {
  /** A DNS name, or an address without brackets. */
  readonly host: string
  /** The address to connect to. Default: the addresses of `host`, looked up at each connection. */
  readonly address?: string | undefined
  readonly port: number
  /**
   * - `implicit`: TLS from the first byte (RFC 8314).
   * - `offered`: STARTTLS (RFC 3207) if the peer offers it. A login is never sent unencrypted, except to loopback.
   * - `required`: STARTTLS, otherwise no session.
   * - `none`: unencrypted, including the login.
   */
  readonly tls: "implicit" | "offered" | "required" | "none"
  /** Whether the certificate must be valid for the host; `false` accepts any. */
  readonly verify: boolean
  readonly login?: Login | undefined
  /** Concurrent connections, and so concurrent messages: 1 to 200. */
  readonly pool: number
  /** The name in EHLO. Default: the machine's name if it is fully qualified, otherwise `[127.0.0.1]`. */
  readonly name?: string | undefined
}

interface Login {
  readonly user: string
  readonly password: Redacted.Redacted<string>
}

export class InvalidSmtpUrl extends Data.TaggedError("InvalidSmtpUrl")<{ readonly message: string }> {}

const defaultPool = 20
const largestPool = 200
const submissionPort = 587
const submissionsPort = 465

const example = "smtp://user:password@mail.example.com:587"
const encodeHint = `percent-encode @ / ? # % in user and password, as in ${example}`

type Read<A> = Result.Result<A, string>

/**
 * Reads the options `pool`, `tls`, `verify`, `name`. Any other query text could belong to a password, so it is not
 * quoted.
 */
const readOptions = (
  query: URLSearchParams,
  isImplicit: boolean
): Read<Pick<SmtpTransport, "tls" | "verify" | "pool" | "name">> => {
  const known = ["pool", "tls", "verify", "name"]
  for (const key of query.keys()) {
    if (!known.includes(key))
      return Result.fail(`has an unknown option; the options are ${known.join(", ")}; ${encodeHint}`)
    if (query.getAll(key).length > 1) return Result.fail(`has the option ${key} twice`)
  }

  const pool = query.get("pool") ?? String(defaultPool)
  if (!/^\d{1,3}$/.test(pool) || Number(pool) < 1 || Number(pool) > largestPool) {
    return Result.fail(`has pool=${pool}, it may be 1 to ${largestPool}`)
  }

  const tls = query.get("tls")
  if (tls !== null && tls !== "required" && tls !== "none") {
    return Result.fail(`has tls=${tls}, it may be required or none`)
  }
  if (isImplicit && tls === "none") return Result.fail("has tls=none, which smtps:// cannot have; use smtp://")

  const verify = query.get("verify") ?? "true"
  if (verify !== "true" && verify !== "false") return Result.fail(`has verify=${verify}, it may be true or false`)

  const name = query.get("name")
  if (name !== null && !/^[a-z0-9.:[\]-]{1,255}$/i.test(name)) {
    return Result.fail("has a name that is neither a host name nor an address literal")
  }
  return Result.succeed({
    pool: Number(pool),
    tls: isImplicit ? "implicit" : (tls ?? "offered"),
    verify: verify === "true",
    ...(name === null ? {} : { name })
  })
}

const readLogin = (url: URL): Read<Login | undefined> => {
  if (url.username === "" && url.password === "") return Result.succeed(undefined)
  if (url.username === "" || url.password === "") return Result.fail(`needs both user and password; ${encodeHint}`)
  return Result.mapError(
    Result.try(() => ({
      user: decodeURIComponent(url.username),
      password: Redacted.make(decodeURIComponent(url.password))
    })),
    () => `has a % without a percent-encoding; ${encodeHint}`
  )
}

const readHost = ({ hostname }: URL): Read<string> => {
  const address = hostname.replace(/^\[(.*)\]$/, "$1")
  if (isIPv6(address)) return Result.succeed(address)
  const name = domainToASCII(
    Result.getOrElse(
      Result.try(() => decodeURIComponent(hostname)),
      () => ""
    )
  )
  return /^[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?$/.test(name) ? Result.succeed(name) : Result.fail("has no valid host")
}

const readOne = (text: string): Read<SmtpTransport> =>
  Result.gen(function* () {
    const scheme = /^(smtps?):\/\//i.exec(text)?.[1]?.toLowerCase()
    if (scheme === undefined) return yield* Result.fail(`does not begin with smtp:// or smtps://, as in ${example}`)
    if (/[?#].*@|#/.test(text)) return yield* Result.fail(`is not a URL; ${encodeHint}`)
    const url = yield* Result.mapError(
      Result.try(() => new URL(text)),
      () => `is not a URL, or has an invalid port; ${encodeHint}`
    )
    if (url.pathname !== "" && url.pathname !== "/") return yield* Result.fail(`has a path; ${encodeHint}`)
    if (url.port === "0") return yield* Result.fail("has port 0, it may be 1 to 65535")

    const isImplicit = scheme === "smtps"
    const login = yield* readLogin(url)
    return {
      host: yield* readHost(url),
      port: url.port === "" ? (isImplicit ? submissionsPort : submissionPort) : Number(url.port),
      ...(yield* readOptions(url.searchParams, isImplicit)),
      ...(login === undefined ? {} : { login })
    }
  })

/** The transports in order of failover. */
export const parse = Effect.fnUntraced(function* (urls: Redacted.Redacted<string> | string) {
  const text = typeof urls === "string" ? urls : Redacted.value(urls)
  const [first = "", ...rest] = text.split(/,(?=\s*[a-z]+:\/\/)/i)
  const what = (position: number) => (rest.length === 0 ? "The SMTP URL" : `SMTP URL ${position + 1}`)
  return yield* Effect.forEach([first, ...rest] as const, (entry, position) =>
    Effect.mapError(
      Effect.fromResult(readOne(entry.trim())),
      (fault) => new InvalidSmtpUrl({ message: `${what(position)} ${fault}.` })
    )
  )
})
