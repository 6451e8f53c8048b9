import { assert, describe, it } from "@effect/vitest"
import { DomainName } from "@posthorn/contract/platform/DomainName"
import { Result, Schema } from "effect"
import { mailboxProviders } from "./MailboxProviders.ts"
import { isTestDomain, organisationalDomain, refusal } from "./SenderDomain.ts"

describe("a sender domain", () => {
  it("is refused if it is a mailbox provider, by exact name", () => {
    for (const name of ["gmail.com", "googlemail.com", "outlook.com", "yahoo.co.uk", "gmx.de", "qq.com", "proton.me"]) {
      assert.strictEqual(refusal(name), `${name} is a mailbox provider: add a domain that you own.`)
    }
    assert.isUndefined(refusal("mygmail.com"))
    assert.isUndefined(refusal("gmail.acme.com"))
  })

  it("every provider of the list is a canonical domain name", () => {
    for (const name of mailboxProviders)
      assert.deepStrictEqual(Schema.decodeUnknownResult(DomainName)(name), Result.succeed(name))
  })

  it("is refused if it is a public suffix of a registry or a company", () => {
    for (const name of ["co.uk", "gov.uk", "foo.ck", "b.kawasaki.jp", "github.io", "xn--55qx5d.cn"]) {
      assert.strictEqual(refusal(name), `${name} is a public suffix: add a domain below it.`)
    }
    for (const name of ["acme.co.uk", "acme.github.io", "www.ck", "acme.com", "acme.test", "a.acme.example"]) {
      assert.isUndefined(refusal(name), name)
    }
  })

  it("has an organisational domain", () => {
    assert.strictEqual(organisationalDomain("a.mail.acme.co.uk"), "acme.co.uk")
    assert.strictEqual(organisationalDomain("acme.com"), "acme.com")
    assert.strictEqual(organisationalDomain("shop.acme.github.io"), "acme.github.io")
    assert.strictEqual(organisationalDomain("mail.posthorn.test"), "posthorn.test")
    assert.isUndefined(organisationalDomain("co.uk"))
  })

  it("can have a reserved name", () => {
    for (const name of ["posthorn.test", "a.b.example", "app.localhost"]) assert.isTrue(isTestDomain(name), name)
    for (const name of ["example.com", "acme.test.com", "latest", "acme.contest"])
      assert.isFalse(isTestDomain(name), name)
  })
})
