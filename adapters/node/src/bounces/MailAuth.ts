/** `MailAuthentication` with the library mailauth. It is loaded for the first message. */

import { Resolver } from "node:dns/promises"
import { Readable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { domainToASCII } from "node:url"
import { domainOf } from "@posthorn/contract/platform/Mailbox"
import {
  type AuthenticationResult,
  type AuthenticationResults,
  MailAuthentication,
  type MailToCheck
} from "@posthorn/core/mail/receivers/MailAuthentication"
import { Duration, Effect, Layer } from "effect"
import { shortHead } from "./ShortHead.ts"

/** Time limit for all queries of one message. */
const patience = Duration.seconds(10)
/**
 * Time limit for DKIM keys and SPF, so that a sender with slow DNS leaves time to find the policy of the author's
 * domain.
 */
const patienceForSender = Duration.seconds(6)
/** Time limit for one attempt at one server. */
const queryTimeout = Duration.seconds(2)

/** The error code of a query that is not made because the time limit has passed. */
const timeIsOver = "EPATIENCE"

const load = async () => {
  const [{ dkimVerify }, { spf }, { dmarc }] = await Promise.all([
    import("mailauth/lib/dkim/verify.js"),
    import("mailauth/lib/spf/index.js"),
    import("mailauth/lib/dmarc/index.js")
  ])
  return { dkimVerify, spf, dmarc }
}

const known = ["pass", "fail", "softfail", "temperror", "permerror", "policy", "neutral", "none"] as const
const keyword = (result: string | undefined): AuthenticationResult => known.find((each) => each === result) ?? "none"

const best = (results: ReadonlyArray<AuthenticationResult>): AuthenticationResult =>
  known.find((each) => results.includes(each)) ?? "none"

const pieceBytes = 65_536

/**
 * Passes the message to the library in pieces, so that other work runs in between. It stops early if checking
 * signatures would cost too much: if the time limit has passed, or if a line is longer than a piece, which takes
 * quadratic time.
 */
const inPieces = (bytes: Uint8Array) => {
  const since = performance.now()
  const state = { isCut: false }
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      const piece = Buffer.from(bytes.subarray(at, at + pieceBytes))
      state.isCut =
        performance.now() - since > Duration.toMillis(patienceForSender) ||
        (piece.length === pieceBytes && !piece.includes(10))
      if (state.isCut) return
      yield piece
      await setImmediate()
    }
  }
  return { stream: Readable.from(pieces()), state }
}

const asciiDomainOf = (address: string) => domainToASCII(domainOf(address)).toLowerCase()

/** DNS queries for one message, which fail when its time limit has passed. */
const queries = (servers: ReadonlyArray<string>) => {
  const millis = Duration.toMillis(queryTimeout)
  const resolver = new Resolver({ timeout: millis, maxTimeout: millis, tries: 2 })
  if (servers.length > 0) resolver.setServers(servers)
  const since = performance.now()
  const ask = (name: string, type: string): Promise<Array<string> | Array<Array<string>>> => {
    switch (type) {
      case "TXT":
        return resolver.resolveTxt(name)
      case "MX":
        // SPF expects the records in the form that Node.js returns.
        return resolver.resolveMx(name) as Promise<Array<never>>
      case "A":
        return resolver.resolve4(name)
      case "AAAA":
        return resolver.resolve6(name)
      case "PTR":
        return resolver.resolvePtr(name)
      default:
        return resolver.resolve(name, type) as Promise<Array<never>>
    }
  }
  const query = async (name: string, type: string) => {
    const limit = name.startsWith("_dmarc.") ? patience : patienceForSender
    const left = Duration.toMillis(limit) - (performance.now() - since)
    const over = () => Object.assign(new Error("The time limit for DNS has passed."), { code: timeIsOver })
    if (left <= 0) throw over()
    let timer: NodeJS.Timeout | undefined
    const end = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(over()), left)
    })
    return await Promise.race([ask(name, type), end]).finally(() => clearTimeout(timer))
  }
  return { query, cancel: () => resolver.cancel() }
}

const authenticate = async (
  mail: MailToCheck,
  resolver: (name: string, type: string) => Promise<Array<string> | Array<Array<string>>>
): Promise<AuthenticationResults> => {
  const { dkimVerify, spf, dmarc } = await load()
  const helo = mail.helo === "" ? `[${mail.address}]` : mail.helo
  const { stream, state } = inPieces(shortHead(mail.bytes))
  const [signed, sent] = await Promise.all([
    dkimVerify(stream, { resolver, strict: true }),
    spf({ resolver, strict: true, ip: mail.address, helo, sender: mail.sender })
  ])
  const signatures = signed.results.map(({ status, signingDomain = "" }) => ({
    result: state.isCut ? "policy" : keyword(status.result),
    domain: signingDomain,
    // A query that failed because the sender used up the time does not count as unknown.
    isUnknown: !state.isCut && status.result === "temperror" && !(status.comment ?? "").includes(timeIsOver)
  }))
  const spfResult = keyword(sent.status.result)
  const alignment = (maybe: boolean) =>
    dmarc({
      resolver,
      strict: true,
      headerFrom: signed.headerFrom,
      fromFields: signed.fromFields,
      spfDomains: spfResult === "pass" || (maybe && spfResult === "temperror") ? [sent.domain] : [],
      dkimDomains: signatures
        .filter(({ result, isUnknown }) => result === "pass" || (maybe && isUnknown))
        .map(({ domain }) => ({ domain }))
    })

  const dmarcResult = async (): Promise<AuthenticationResult> => {
    const certain = await alignment(false)
    // Fails for a message without a valid author, or with an author that other software would read differently.
    const author = certain === false ? undefined : String(certain.status.header?.["from"] ?? "")
    if (certain === false || author === undefined || asciiDomainOf(author) !== asciiDomainOf(mail.from)) return "fail"
    const isUnknown = spfResult === "temperror" || signatures.some((each) => each.isUnknown)
    if (certain.status.result !== "fail" || !isUnknown) return keyword(certain.status.result)
    const perhaps = await alignment(true)
    return perhaps !== false && perhaps.status.result === "fail" ? "fail" : "temperror"
  }
  return { spf: spfResult, dkim: best(signatures.map(({ result }) => result)), dmarc: await dmarcResult() }
}

const unknown: AuthenticationResults = { spf: "temperror", dkim: "temperror", dmarc: "temperror" }

/**
 * Queries these servers, each `address` or `address:port`, or without any the DNS servers of the system. One message
 * takes at most 12 seconds.
 */
export const layer = ({ servers = [] }: { readonly servers?: ReadonlyArray<string> | undefined } = {}) =>
  Layer.succeed(MailAuthentication, {
    check: Effect.fn("MailAuth.check")((mail: MailToCheck) =>
      Effect.acquireUseRelease(
        Effect.sync(() => queries(servers)),
        ({ query }) => Effect.tryPromise(() => authenticate(mail, query)),
        ({ cancel }) => Effect.sync(cancel)
      ).pipe(
        Effect.timeout(Duration.sum(patience, Duration.seconds(2))),
        Effect.catch((fault) => Effect.as(Effect.logWarning("A message could not be authenticated", fault), unknown))
      )
    )
  })
