import { assert, it } from "@effect/vitest"
import fc from "fast-check"
import { textsFor, translationsWithOwn } from "./Translations.ts"

const texts = (name: string, text: string | null = null) => ({ subject: name, body: `<p>${name}</p>`, text })

const source = {
  ...texts("base"),
  language: "en" as string | null,
  translations: { de: texts("de"), "zh-Hans": texts("zh-Hans"), "pt-BR": texts("pt-BR"), "es-419": texts("es-419") }
}

const chosen = (wanted: ReadonlyArray<unknown>, given: typeof source = source, project = "fr") => {
  const { subject, language } = textsFor(given, wanted, project)
  return `${subject} ${language}`
}

it.each([
  [["de"], "de de"],
  [["de-AT"], "de de"],
  [["DE-at"], "de de"],
  [["de_AT"], "de de"],
  [["de-Latn-AT-1996"], "de de"],
  [["zh-Hans-CN"], "zh-Hans zh-Hans"],
  [["zh-hans"], "zh-Hans zh-Hans"],
  [["zh"], "base en"],
  [["pt"], "base en"],
  [["pt-br"], "pt-BR pt-BR"],
  [["es-419"], "es-419 es-419"],
  [["en-GB"], "base en"],
  [["fr"], "base en"],
  [[undefined, "de"], "de de"],
  [[undefined, 7, null, { value: "de" }, "pt-BR"], "pt-BR pt-BR"],
  [["fr", "de"], "base en"],
  [["de".repeat(20), "pt-BR"], "pt-BR pt-BR"],
  [["", "-", "--"], "base en"],
  [[], "base en"]
])("for %j the texts are %s", (wanted, expected) => {
  assert.strictEqual(chosen(wanted), expected)
})

it("without a requested language, the language of the project is used", () => {
  assert.strictEqual(chosen([], source, "de-CH"), "de de")
  assert.strictEqual(chosen(["it"], source, "de"), "base en")
})

it("base texts without a language have the language of the project", () => {
  const unnamed = { ...source, language: null }
  assert.strictEqual(chosen(["fr-CA"], unnamed), "base fr")
  assert.strictEqual(chosen(["de"], unnamed, "de"), "base de")
})

it("texts without any named language have none", () => {
  assert.strictEqual(
    chosen(["de"], { ...source, language: null, translations: {} as typeof source.translations }),
    "base null"
  )
  assert.strictEqual(chosen(["de"], { ...source, translations: {} as typeof source.translations }), "base en")
})

const tag = fc.stringMatching(/^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{2,8}){0,3}$/)

it("the exact tag is always found, in any case, and a shorter tag is used for a longer one", () => {
  fc.assert(
    fc.property(tag, tag, (name, base) => {
      fc.pre(!`${name.toLowerCase()}-`.startsWith(`${base.toLowerCase()}-`))
      const given = { ...texts("base"), language: base, translations: { [name]: texts("own") } }
      for (const wanted of [name, name.toUpperCase(), `${name}-x1`]) {
        assert.strictEqual(textsFor(given, [wanted], "fr").subject, wanted.length > 35 ? "base" : "own")
      }
    })
  )
})

it("texts of two languages are never mixed", () => {
  const values = fc.option(fc.string(), { nil: null })
  const local = fc.record({ subject: fc.string(), body: fc.string(), text: values })
  fc.assert(
    fc.property(local, fc.dictionary(tag, local), tag, (base, translations, wanted) => {
      const { language: _, ...found } = textsFor({ ...base, language: null, translations }, [wanted], "en")
      assert.isTrue(
        [base, ...Object.values(translations)].some((each) => JSON.stringify(each) === JSON.stringify(found))
      )
    })
  )
})

it("texts of the request replace those of every language, and a body also the text part", () => {
  const translations = { de: texts("de", "plain") }
  assert.deepStrictEqual(translationsWithOwn(translations, {}), translations)
  assert.deepStrictEqual(translationsWithOwn(translations, { subject: "Mine" }), {
    de: { subject: "Mine", body: "<p>de</p>", text: "plain" }
  })
  assert.deepStrictEqual(translationsWithOwn(translations, { body: "<p>Mine</p>" }), {
    de: { subject: "de", body: "<p>Mine</p>", text: null }
  })
  assert.deepStrictEqual(translationsWithOwn(translations, { text: "Mine" }), {
    de: { subject: "de", body: "<p>de</p>", text: "Mine" }
  })
  assert.deepStrictEqual(translationsWithOwn(translations, { subject: "Mine", body: "<p>Mine</p>" }), {})
})
