/** Counts the DNS look-ups that the SPF record of a domain costs its receivers (RFC 7208 4.6.4). */
import { Effect } from "effect"
import { DnsResolver, type DnsUnavailable } from "../../../platform/dns/DnsResolver.ts"

/** Receivers stop with an error beyond this number. */
export const maxLookups = 10

export interface Spf {
  /** The SPF records of the domain itself. */
  readonly records: ReadonlyArray<string>
  /** At most one more than `maxLookups`, where the count ends. */
  readonly lookups: number
  /** The names of all includes, in lower case. */
  readonly includes: ReadonlySet<string>
}

export const isSpf = (text: string): boolean => /^v=spf1(?: |$)/i.test(text)

const mechanism = /^[+?~-]?(include|a|mx|ptr|exists)(?=[:/]|$)(?::([^/]*))?/i
const redirect = /^redirect=(.*)$/i

interface Term {
  /** The domain whose record follows. Undefined if no further record is read. */
  readonly next: string | undefined
}

/** The terms of a record that cost a look-up each. */
const termsOf = (record: string): ReadonlyArray<Term> =>
  record.split(" ").flatMap((word): ReadonlyArray<Term> => {
    const [, name, target = ""] = mechanism.exec(word) ?? []
    const other = redirect.exec(word)?.[1]
    if (name === undefined) return other === undefined ? [] : [{ next: other }]
    return [{ next: name.toLowerCase() === "include" ? target : undefined }]
  })

/** A name with macros depends on the mail, so its record is counted but not read. */
const isReadable = (name: string) => name !== "" && !name.includes("%")

export const spfOf = Effect.fn("SpfLookups.spfOf")(function* (
  domain: string
): Effect.fn.Return<Spf, DnsUnavailable, DnsResolver> {
  const { txt } = yield* DnsResolver
  const records = (yield* txt(domain)).values.filter(isSpf)
  const includes = new Set<string>()
  let lookups = 0
  const waiting = records.slice(0, 1)
  for (let record = waiting.pop(); record !== undefined; record = waiting.pop()) {
    for (const { next } of termsOf(record)) {
      if (++lookups > maxLookups) return { records, lookups, includes }
      if (next === undefined || !isReadable(next)) continue
      const name = next.toLowerCase().replace(/\.$/, "")
      includes.add(name)
      const [policy] = (yield* txt(name)).values.filter(isSpf)
      if (policy !== undefined) waiting.push(policy)
    }
  }
  return { records, lookups, includes }
})
