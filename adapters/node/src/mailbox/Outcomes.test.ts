import { assert, it } from "@effect/vitest"
import { makeTries, outcomeOf } from "./Outcomes.ts"

it.each([
  ["bounced@posthorn.test", "bounced"],
  ["Complained@Shop.Example.TEST", "complained"],
  ["deferred@a.test", "deferred"],
  ["slow@a.test", "slow"],
  ["slow@test", undefined],
  ["slow@a.test.example.com", undefined],
  ["slow@a.latest", undefined],
  ["slower@a.test", undefined],
  ["slow+1@a.test", undefined],
  ["x@slow@a.test", undefined]
])("%s asks for %s", (address, outcome) => {
  assert.strictEqual(outcomeOf(address), outcome)
})

it("counts the tries of each mail apart, and forgets the one not seen for longest", () => {
  const countTry = makeTries()
  assert.deepStrictEqual([countTry("a"), countTry("b"), countTry("a")], [1, 1, 2])
  for (let n = 0; n < 999; n++) countTry(`other ${n}`)
  assert.deepStrictEqual([countTry("a"), countTry("b")], [3, 1])
})
