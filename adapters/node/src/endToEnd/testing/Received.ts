/** A message as the recipient's server gets it: its octets, its signatures and its parsed content. */
import { Resolver } from "node:dns/promises"
import { assert } from "@effect/vitest"
import { verifyDkimBy } from "@posthorn/mailer-smtp/testing"
import type { DnsStub } from "@posthorn/platform-node/testing/DnsStub"
import { Effect } from "effect"
import PostalMime, { decodeWords } from "postal-mime"
import type { Domain } from "./Caller.ts"

/** The results of the signatures, from top to bottom. The keys come from DNS. */
export const verdicts = ({ address }: DnsStub, raw: Uint8Array) =>
  Effect.promise(() => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    resolver.setServers([address])
    return verifyDkimBy(raw, (name) => resolver.resolveTxt(name))
  })

/** The result for a message that both keys of the domain have signed. */
export const bothKeys = ({ domain, selector }: Pick<Domain, "domain" | "selector">, result = "pass") => [
  { domain, selector, algorithm: "rsa-sha256", result },
  { domain, selector: `${selector}e`, algorithm: "ed25519-sha256", result }
]

/** RFC 5322 2.1.1 and 2.3, RFC 5321 4.5.3: ASCII lines of at most 998 octets, ended by CRLF. */
export const assertWellFormed = (raw: Uint8Array) =>
  assert.match(Buffer.from(raw).toString("latin1"), /^(?:[\t -~]{0,998}\r\n)+$/)

/** The content as an independent parser reads it: encoded words are decoded (RFC 2047), line ends are LF. */
export const parsed = Effect.fnUntraced(function* (raw: Uint8Array) {
  const { attachments, headers, html = "", text = "", ...mail } = yield* Effect.promise(() => PostalMime.parse(raw))
  return {
    ...mail,
    html: html.replaceAll("\r\n", "\n").trimEnd(),
    text: text.replaceAll("\r\n", "\n").trimEnd(),
    /** The value of a header that occurs once. */
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
