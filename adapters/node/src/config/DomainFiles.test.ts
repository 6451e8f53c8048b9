import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { OwnDomains } from "@posthorn/core/audience/verification/DomainLists"
import { Effect, Layer } from "effect"
import * as Host from "../Host.ts"
import * as DomainFiles from "./DomainFiles.ts"

const read = (domainFiles: Parameters<typeof DomainFiles.layer>[0]["domainFiles"]) =>
  Effect.provide(OwnDomains, Layer.provide(DomainFiles.layer({ domainFiles }), Host.platform))

it.effect("the configured files are read; without them nothing changes", () =>
  Effect.gen(function* () {
    const disposable = join(mkdtempSync(join(tmpdir(), "posthorn-domains-")), "disposable")
    writeFileSync(disposable, "throw.example\r\n!mailinator.com\n")
    assert.deepStrictEqual(yield* read({ disposable, personal: undefined }), {
      disposable: ["throw.example", "!mailinator.com", ""],
      personal: []
    })
  })
)

it.effect("a missing file makes the start fail with one sentence", () =>
  Effect.gen(function* () {
    const { message } = yield* Effect.flip(read({ disposable: undefined, personal: "/nowhere/personal" }))
    assert.strictEqual(
      message,
      'POSTHORN_PERSONAL_DOMAINS_FILE has "/nowhere/personal", which cannot be read; it may be a file.'
    )
  })
)
