import { assert, layer } from "@effect/vitest"
import { PasswordHash } from "@posthorn/core/accounts/people/PasswordHash"
import { Effect, Redacted } from "effect"
import * as Argon2 from "./Argon2.ts"

const password = Redacted.make("correct horse")

layer(Argon2.layer)("passwords", (it) => {
  it.effect("a hash is argon2id with 19 MiB, 2 passes and 1 lane, and different each time", () =>
    Effect.gen(function* () {
      const { hash, isOutdated } = yield* PasswordHash
      const first = yield* hash(password)
      assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
      assert.notStrictEqual(yield* hash(password), first)
      assert.isFalse(isOutdated(first))
    })
  )

  it.effect("a password matches its hash in every Unicode form of its accents", () =>
    Effect.gen(function* () {
      const { hash, verify } = yield* PasswordHash
      const stored = yield* hash(Redacted.make("caf\u00e9 cr\u00e8me"))
      assert.isTrue(yield* verify(stored, Redacted.make("cafe\u0301 cre\u0300me")))
      assert.isFalse(yield* verify(stored, Redacted.make("cafe creme")))
    })
  )

  it.effect("a text that is not a hash matches no password", () =>
    Effect.gen(function* () {
      const { isOutdated, verify } = yield* PasswordHash
      assert.isFalse(yield* verify("correct horse", password))
      assert.isTrue(isOutdated("correct horse"))
    })
  )

  it.effect.each([
    "$argon2id$v=19$m=4096,t=3,p=1$a$b",
    "$argon2id$v=19$m=19456,t=1,p=1$a$b",
    "$argon2i$v=19$m=65536,t=3,p=1$a$b"
  ])("%s is outdated", (stored) => Effect.map(PasswordHash, ({ isOutdated }) => assert.isTrue(isOutdated(stored))))
})
