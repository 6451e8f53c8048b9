import { assert, it } from "@effect/vitest"
import { type BounceEvidence, bounceType, isAboutMailbox } from "./BounceClass.ts"

it.each<readonly [BounceEvidence, string]>([
  [{ status: "5.1.1" }, "Permanent"],
  [{ status: "5.1.2" }, "Permanent"],
  [{ status: "5.1.3" }, "Permanent"],
  [{ status: "5.1.6" }, "Permanent"],
  [{ status: "5.1.10" }, "Permanent"],
  [{ status: "5.2.1" }, "Permanent"],
  [{ status: "5.4.4", diagnostic: "Host or domain name not found" }, "Permanent"],
  [{ status: "5.0.0", diagnostic: "smtp; 550 5.1.1 <a@b.test>: User unknown" }, "Permanent"],
  [{ status: "5.0.0", diagnostic: "550 Unrouteable address" }, "Permanent"],
  [{ status: "5.0.0", diagnostic: "550 No such user here" }, "Permanent"],
  [{ diagnostic: "Sorry, no mailbox here by that name. (#5.1.1)" }, "Permanent"],
  [{ diagnostic: "550 mailbox does not exist" }, "Permanent"],
  [{ status: "5.0.0", diagnostic: "554 rejected for policy reasons" }, "Undetermined"],
  [{ status: "5.1.8" }, "Undetermined"],
  [{ status: "5.7.1", diagnostic: "550 5.7.1 user unknown to our policy" }, "Undetermined"],
  [{ status: "5.3.4" }, "Undetermined"],
  [{ status: "5.4.1" }, "Undetermined"],
  [{}, "Undetermined"],
  [{ status: "4.4.7" }, "Transient"],
  [{ status: "4.2.2" }, "Transient"],
  [{ status: "5.2.2" }, "Transient"],
  [{ diagnostic: "552 mailbox is full" }, "Transient"],
  [{ diagnostic: "452 try again later" }, "Transient"],
  [{ status: "5.1.1", bounceType: "Transient" }, "Transient"],
  [{ status: "4.4.7", bounceType: "Permanent" }, "Permanent"]
])("%j is %s", (evidence, type) => {
  assert.strictEqual(bounceType(evidence), type)
})

it.each<readonly [BounceEvidence, boolean]>([
  [{ status: "5.2.2" }, true],
  [{ status: "4.2.1" }, true],
  [{}, true],
  [{ diagnostic: "quota exceeded" }, true],
  [{ status: "4.4.7" }, false],
  [{ status: "4.7.1" }, false]
])("a soft bounce with %j is about the mailbox: %s", (evidence, tells) => {
  assert.strictEqual(isAboutMailbox(evidence), tells)
})
