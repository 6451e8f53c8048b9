import { assert, describe, it } from "@effect/vitest"
import { fromGoTemplate, fromResend } from "./TemplateTexts.ts"

describe("templates of listmonk", () => {
  it.each([
    ["Hello {{ .Subscriber.FirstName }}", "Hello {{firstName}}"],
    ["{{.Subscriber.Attribs.city}} {{- .Tx.Data.order.total -}}", "{{city}} {{order.total}}"],
    ['<a href="{{ TrackLink "https://example.com/a?b=1" . }}">a</a>', '<a href="https://example.com/a?b=1">a</a>'],
    ['<a href="https://example.com@TrackLink">a</a>', '<a href="https://example.com">a</a>'],
    ['{{ template "content" . }}{{ TrackView }}{{/* a note */}}', "{{> content}}"],
    ["{{ UnsubscribeURL }} {{ ManageURL . }}", "{{unsubscribeUrl}} {{manageUrl}}"]
  ])("%s", (text, expected) => assert.deepStrictEqual(fromGoTemplate(text), { text: expected, unknown: [] }))

  it("with code are left as they are, and named", () => {
    const text = "{{ if .Subscriber.Attribs.vip }}yes{{ end }} {{ .Subscriber.__proto__ }} {{ toString }}"
    assert.deepStrictEqual(fromGoTemplate(text), {
      text,
      unknown: ["{{ if .Subscriber.Attribs.vip }}", "{{ end }}", "{{ .Subscriber.__proto__ }}", "{{ toString }}"]
    })
  })
})

describe("templates of Resend", () => {
  const defaults = { PRODUCT: "the thing", PRICE: 20, NONE: null, ODD: "a}}b" }

  it.each([
    ["{{{PRODUCT}}} for {{{PRICE}}}", "{{PRODUCT ?? the thing}} for {{PRICE ?? 20}}"],
    ["{{{NONE}}} {{{ODD}}} {{OTHER}}", "{{NONE}} {{ODD}} {{OTHER}}"],
    ["{{{contact.first_name|there}}} {{{FIRST_NAME}}}", "{{firstName ?? there}} {{firstName}}"],
    ["{{{contact.properties.plan}}} {{{RESEND_UNSUBSCRIBE_URL}}}", "{{plan}} {{unsubscribeUrl}}"]
  ])("%s", (text, expected) => assert.deepStrictEqual(fromResend(text, defaults), { text: expected, unknown: [] }))

  it("with anything else are left as they are, and named", () => {
    assert.deepStrictEqual(fromResend("{{#each a}}", {}), { text: "{{#each a}}", unknown: ["{{#each a}}"] })
  })
})

it("converts in linear time", () => {
  for (const part of ["{{", "{{ {", "{{.Subscriber.Attribs.a.", "{{/*", "|{{{a|"]) {
    const began = performance.now()
    fromGoTemplate(part.repeat(100_000))
    fromResend(part.repeat(100_000), {})
    assert.isBelow(performance.now() - began, 5_000, part)
  }
})
