/** Mail as its recipient's server has it: its octets, its signatures, what a reader makes of it. */
import { Resolver } from "node:dns/promises"
import { assert } from "@effect/vitest"
import { verifyDkimBy } from "@posthorn/mailer-smtp/testing"
import { Effect } from "effect"
import PostalMime, { decodeWords } from "postal-mime"
import type { DnsStub } from "../../testing/DnsStub.ts"
import type { Domain } from "./Caller.ts"

/** What a receiver makes of the signatures, from top to bottom; it asks the DNS for the keys. */
export const verdicts = ({ address }: DnsStub, raw: Uint8Array) =>
  Effect.promise(() => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    resolver.setServers([address])
    return verifyDkimBy(raw, (name) => resolver.resolveTxt(name))
  })

/** What it makes of a mail that both keys of the domain have signed. */
export const bothKeys = ({ domain, selector }: Pick<Domain, "domain" | "selector">, result = "pass") => [
  { domain, selector, algorithm: "rsa-sha256", result },
  { domain, selector: `${selector}e`, algorithm: "ed25519-sha256", result }
]

/** RFC 5322 2.1.1 and 2.3, RFC 5321 4.5.3: lines of at most 998 octets, ended by CRLF, and nothing but ASCII. */
export const assertWellFormed = (raw: Uint8Array) =>
  assert.match(Buffer.from(raw).toString("latin1"), /^(?:[\t -~]{0,998}\r\n)+$/)

/** What a reader sees, by an independent parser; encoded words are decoded (RFC 2047), line ends are those of a text. */
export const parsed = Effect.fnUntraced(function* (raw: Uint8Array) {
  const { attachments, headers, html = "", text = "", ...mail } = yield* Effect.promise(() => PostalMime.parse(raw))
  return {
    ...mail,
    html: html.replaceAll("\r\n", "\n").trimEnd(),
    text: text.replaceAll("\r\n", "\n").trimEnd(),
    /** Of a header that is there once. */
    header: (name: string): string => {
      const [found, ...others] = headers.filter(({ key }) => key === name.toLowerCase())
      assert.isEmpty(others, name)
      return decodeWords(found?.value ?? "")
    },
    attachments: attachments.map(({ content, filename, mimeType, disposition, contentId }) => ({
      filename,
      contentType: mimeType,
      disposition,
      contentId,
      content: Buffer.from(typeof content === "string" ? content : new Uint8Array(content)).toString("base64")
    }))
  }
})
