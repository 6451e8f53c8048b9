import { assert, describe, it } from "@effect/vitest"
import fc from "fast-check"
import { type ImageHeader, imageHeader } from "./ImageHeader.ts"
import { gif, jpeg, png, samples, svg, webpExtended, webpLossless, webpLossy } from "./SampleImages.ts"

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe("The header of an image", () => {
  it.each(Object.entries(samples))("%s of 600 x 200 is read", (kind, make) => {
    const extension = kind.startsWith("webp") ? "webp" : kind
    assert.deepStrictEqual(imageHeader(make(600, 200)), { extension, width: 600, height: 200 } as ImageHeader)
  })

  it("reads the output of an encoder: a transparent GIF of one pixel", () => {
    const pixel = Uint8Array.from(atob("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"), (c) =>
      c.charCodeAt(0)
    )
    assert.deepStrictEqual(imageHeader(pixel), { extension: "gif", width: 1, height: 1 })
  })

  it("accepts 1 to 10,000 pixels on each side", () => {
    for (const make of [png, gif, jpeg, webpExtended, webpLossy, webpLossless]) {
      assert.deepInclude(imageHeader(make(10_000, 10_000)), { width: 10_000, height: 10_000 })
      assert.isUndefined(imageHeader(make(10_001, 1)))
      assert.isUndefined(imageHeader(make(1, 10_001)))
    }
    for (const make of [png, gif, jpeg]) assert.isUndefined(imageHeader(make(0, 1)))
  })

  it.each<readonly [string, Uint8Array]>([
    ["nothing", new Uint8Array()],
    ["SVG", svg],
    ["SVG behind a byte order mark", bytes("\xef\xbb\xbf<svg xmlns='http://www.w3.org/2000/svg'/>")],
    ["HTML", bytes("<!doctype html><script>alert(1)</script>")],
    ["PDF", bytes("%PDF-1.7\n")],
    ["a PNG signature without a header chunk", bytes("\x89PNG\r\n\x1a\n<script>alert(1)</script>          ")],
    ["a PNG without its first byte right", Uint8Array.of(0, ...png(1, 1).subarray(1))],
    ["HTML with a PNG behind it", Uint8Array.of(...bytes("<html>"), ...png(1, 1))],
    [
      "a RIFF file that is sound",
      bytes("RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x44\xac\0\0\x88\x58\x01\0\x02\0\x10\0data")
    ],
    ["a WebP that claims to be longer than it is", webpLossy(1, 1, 5_000)],
    ["a JPEG whose scan begins before its frame", bytes("\xff\xd8\xff\xda\0\x08\x01\x01\0\0\x3f\0\0\0\0\0")],
    ["a JPEG segment that ends behind the file", bytes("\xff\xd8\xff\xe0\xff\xff")],
    ["a JPEG segment of no length", bytes("\xff\xd8\xff\xe0\0\0\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x11\0")],
    ["a JPEG that is all fill bytes", new Uint8Array(100_000).fill(0xff).with(1, 0xd8)]
  ])("%s is not an image", (_, given) => {
    assert.isUndefined(imageHeader(given))
  })

  it("a header that is cut off anywhere is not read", () => {
    const ends = { png: 33, gif: 13, jpg: 17, "webp lossy": 30, "webp lossless": 30, "webp extended": 30 }
    for (const [kind, make] of Object.entries(samples)) {
      const image = make(600, 200)
      const end = ends[kind as keyof typeof ends]
      for (let length = 0; length < end; length++)
        assert.isUndefined(imageHeader(image.subarray(0, length)), `${kind} ${length}`)
    }
  })

  it("never reads beyond the bytes, for any content", () => {
    const start = fc.constantFrom(...Object.values(samples).map((make) => make(600, 200)), svg)
    fc.assert(
      fc.property(start, fc.nat(40), fc.uint8Array({ maxLength: 64 }), fc.nat(40), (image, cut, noise, drop) => {
        const whole = Uint8Array.of(...image.subarray(0, cut), ...noise, ...image.subarray(cut + drop))
        // Valid bytes before and after the view. Reading them would give another result.
        const larger = new Uint8Array(whole.length + 200).fill(1)
        larger.set(whole, 100)
        const inside = imageHeader(larger.subarray(100, 100 + whole.length))
        assert.deepStrictEqual(inside, imageHeader(whole))
        if (inside !== undefined) assert.isTrue(inside.width >= 1 && inside.width <= 10_000 && inside.height <= 10_000)
      }),
      { numRuns: 2_000 }
    )
  })
})
