import { assert, describe, it } from "@effect/vitest"
import { domainLists } from "./DomainLists.ts"

const shipped = domainLists({ disposable: [], personal: [] })

describe("domainLists", () => {
  it("finds disposable domains and their subdomains", () => {
    assert.isTrue(shipped.isDisposable("mailinator.com"))
    assert.isTrue(shipped.isDisposable("inbox.mailinator.com"))
    assert.isFalse(shipped.isDisposable("not-mailinator.example"))
    assert.isFalse(shipped.isDisposable("com"))
  })

  it("finds mailbox providers, but neither placeholders nor disposable domains", () => {
    assert.isTrue(shipped.isPersonal("gmail.com"))
    assert.isFalse(shipped.isPersonal("mail.gmail.com"))
    assert.isFalse(shipped.isPersonal("example.com"))
    assert.isFalse(shipped.isPersonal("mailinator.com"), "the package's list contains it")
  })

  it("reads the operator's lines: domains, removals, comments and blank lines", () => {
    const own = domainLists({
      disposable: ["# ours", "", " Throw.example ", "!mailinator.com"],
      personal: ["mail.example", "!gmail.com"]
    })
    assert.isTrue(own.isDisposable("throw.example"))
    assert.isFalse(own.isDisposable("mailinator.com"))
    assert.isTrue(own.isPersonal("mail.example"))
    assert.isFalse(own.isPersonal("gmail.com"))
    assert.isTrue(own.isPersonal("mailinator.com"), "no longer disposable")
  })
})
