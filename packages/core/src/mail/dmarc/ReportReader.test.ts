import { createGzip, gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import fc from "fast-check"
import { google, gzipped, microsoft, rfc9990, type Shape, zipped } from "./ReportFixture.ts"
import { BadReport, limits, readReport } from "./ReportReader.ts"

const own = { domain: "acme.test", selectors: ["ph1", "ph1e"] }
const read = (bytes: Uint8Array) => readReport(bytes, own)
const plain = (xml: string) => new TextEncoder().encode(xml)
const why = (bytes: Uint8Array) =>
  Effect.map(Effect.result(read(bytes)), (result) =>
    result._tag === "Failure" ? result.failure.why : assert.fail("the report was read")
  )

const shape: Shape = {
  org: "receiver.example",
  id: "2026.1",
  domain: "acme.test",
  begin: 1_772_323_200,
  policy: "quarantine",
  records: [
    { ip: "203.0.113.7", count: 12, dkim: true, spf: true, selector: "ph1" },
    { ip: "2001:DB8:0:0::0007", count: 3, spf: true, disposition: "quarantine" },
    { ip: "203.0.113.7", count: 5, dkim: true, spf: true },
    { ip: "198.51.100.9", count: 1, disposition: "reject", from: "Mail.ACME.test" }
  ]
}
const expected = {
  org: "receiver.example",
  id: "2026.1",
  begin: DateTime.makeUnsafe(1_772_323_200_000),
  domain: "acme.test",
  policy: "quarantine",
  rows: [
    { source: "203.0.113.7", from: "acme.test", disposition: "none", dkim: true, spf: true, messages: 17, own: true },
    {
      source: "2001:db8::7",
      from: "acme.test",
      disposition: "quarantine",
      dkim: false,
      spf: true,
      messages: 3,
      own: false
    },
    {
      source: "198.51.100.9",
      from: "mail.acme.test",
      disposition: "reject",
      dkim: false,
      spf: false,
      messages: 1,
      own: false
    }
  ]
}

const makers = { google, microsoft, rfc9990 }
const forms = {
  plain,
  gzip: gzipped,
  zip: (xml: string) => zipped([xml]),
  "zip without sizes": (xml: string) => zipped([xml], true)
}

describe("reading DMARC reports", () => {
  it.effect.each(
    Object.entries(makers).flatMap(([maker, make]) =>
      Object.entries(forms).map(([form, pack]) => [maker, form, pack(make(shape))] as const)
    )
  )("of %s as %s", ([, , bytes]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual<unknown>(yield* read(bytes), expected)
    })
  )

  it.effect("in other encodings", () =>
    Effect.gen(function* () {
      const latin = google({ ...shape, org: "Empf\u00e4nger" }).replace("UTF-8", "ISO-8859-1")
      assert.strictEqual((yield* read(Buffer.from(latin, "latin1"))).org, "Empf\u00e4nger")
      const wide = Buffer.from(`\ufeff${google(shape).replace("UTF-8", "UTF-16")}`, "utf16le")
      assert.deepStrictEqual<unknown>(yield* read(wide), expected)
      assert.strictEqual((yield* read(plain(`\ufeff${google(shape)}`))).id, "2026.1")
    })
  )

  const with_ = (from: string | RegExp, to: string) => plain(google(shape).replace(from, to))
  const record = /<record>[\s\S]*?<\/record>/.exec(google(shape))?.[0] ?? ""
  it.effect.each<readonly [what: string, bytes: Uint8Array, why: RegExp]>([
    ["nothing", new Uint8Array(), /no report/],
    ["a text", plain("Hello"), /no report/],
    ["half a gzip", gzipped(google(shape)).slice(0, 200), /cannot be unpacked|not well-formed|no well-formed/],
    [
      "a gzip of nonsense",
      new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8]),
      /cannot be unpacked|not complete|well-formed/
    ],
    ["two files in a zip", zipped([google(shape), google(shape)]), /several files/],
    ["half a zip", zipped([google(shape)]).slice(0, 200), /not complete|cannot be unpacked/],
    ["a document type", with_("<feedback>", "<!DOCTYPE feedback><feedback>"), /document type/],
    ["an unknown entity", with_("receiver.example", "&lol;"), /well-formed/],
    ["broken XML", with_("</record>", ""), /well-formed/],
    ["no records", with_(/<record>[\s\S]*<\/record>/, ""), /not complete/],
    ["another root", with_(/feedback>/g, "feedbacks>"), /not complete|no report/],
    ["no report id", with_("2026.1", " "), /not complete/],
    ["a count of 0", with_("<count>12<", "<count>0<"), /no positive integer/],
    ["a count with a fraction", with_("<count>12<", "<count>1.5<"), /no positive integer/],
    ["a count that is too large", with_("<count>12<", `<count>${"9".repeat(13)}<`), /no positive integer/],
    ["a source that is a name", with_("198.51.100.9", "mail.example"), /no IP address/],
    ["a begin that is no time", with_("<begin>1772323200<", "<begin>yesterday<"), /no positive integer/],
    ["a long value", with_("<version>", `<version>${"x".repeat(limits.value + 1)}`), /too long/],
    ["a long attribute", with_("<version>", `<version a="${"x".repeat(limits.value + 1)}">`), /too long/],
    ["a long comment", with_("<version>", `<!--${"x".repeat(4 * limits.part)}--><version>`), /too long/],
    ["deep nesting", with_("<version>", `${"<a>".repeat(limits.depth)}`), /too deeply/],
    [
      "too many records",
      gzipped(google(shape).replace(record, record.repeat(limits.records / 10).repeat(11))),
      /too large|too many records/
    ]
  ])("%s is refused", ([, bytes, expected]) =>
    Effect.gen(function* () {
      assert.match(yield* why(bytes), expected)
    })
  )

  /** How much more memory the process has while a report is read. */
  const growth = Effect.fnUntraced(function* (bytes: Uint8Array) {
    const before = process.memoryUsage.rss()
    let most = before
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss())
    }, 1)
    const reason = yield* why(bytes)
    clearInterval(timer)
    return { reason, megabytes: (Math.max(most, process.memoryUsage.rss()) - before) / 2 ** 20 }
  })

  /** Zeros, packed without holding them. */
  const packedZeros = (megabytes: number, head: string) =>
    Effect.promise(async () => {
      const gzip = createGzip({ level: 9 })
      const chunks: Array<Buffer> = []
      gzip.on("data", (chunk: Buffer) => chunks.push(chunk))
      const ended = new Promise((done) => gzip.on("end", done))
      gzip.write(head)
      const zeros = Buffer.alloc(2 ** 20, head === "" ? 0 : 0x20)
      for (let n = 0; n < megabytes; n++) if (!gzip.write(zeros)) await new Promise((done) => gzip.once("drain", done))
      gzip.end()
      await ended
      return new Uint8Array(Buffer.concat(chunks))
    })

  it.effect("bombs end early and stay small", () =>
    Effect.gen(function* () {
      const zeros = yield* packedZeros(200, "")
      assert.isBelow(zeros.length, 256 * 1024)
      const nothing = yield* growth(zeros)
      assert.match(nothing.reason, /no report|well-formed|too large/)
      assert.isBelow(nothing.megabytes, 64)
      const blanks = yield* growth(yield* packedZeros(200, google(shape).slice(0, 200)))
      assert.match(blanks.reason, /too long|too large/)
      assert.isBelow(blanks.megabytes, 64)
      const entities = Array.from({ length: 20 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(100)}">`).join("")
      const lol = `<?xml version="1.0"?><!DOCTYPE feedback [<!ENTITY l0 "lol">${entities}]><feedback>&l20;</feedback>`
      const expanded = yield* growth(new Uint8Array(gzipSync(lol)))
      assert.match(expanded.reason, /document type/)
      assert.isBelow(expanded.megabytes, 64)
    })
  )

  it.effect("any octets are read or refused", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...Object.values(forms)),
          fc.array(fc.record({ at: fc.nat(), octet: fc.nat(255) }), { maxLength: 8 }),
          async (pack, changes) => {
            const bytes = pack(google(shape))
            for (const { at, octet } of changes) bytes[at % bytes.length] = octet
            const result = await Effect.runPromise(Effect.result(read(bytes)))
            assert.isTrue(result._tag === "Success" || result.failure instanceof BadReport)
          }
        ),
        { numRuns: 200 }
      )
    )
  )
})
