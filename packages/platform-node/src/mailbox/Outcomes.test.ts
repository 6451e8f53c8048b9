import { assert, it } from "@effect/vitest"
import { outcomeOf } from "./Outcomes.ts"

it.each([
  ["bounced@posthorn.test", "bounced"],
  ["Complained@Shop.Example.TEST", "complained"],
  ["deferred@a.test", "deferred"],
  ["slow@a.test", "slow"],
  ["slow@test", undefined],
  ["slow@a.test.example.com", undefined],
  ["slow@a.latest", undefined],
  ["slower@a.test", undefined],
  ["slow+1@a.test", "slow"],
  ["bounced+@a.test", "bounced"],
  ["opened@a.test", undefined],
  ["x@slow@a.test", undefined]
])("the outcome of %s is %s", (address, outcome) => {
  assert.strictEqual(outcomeOf(address), outcome)
})
