/** Waits, in real time, for something outside the test. */
import { assert } from "vitest"

export const until = async (isSo: () => boolean) => {
  for (let waited = 0; !isSo() && waited < 60_000; waited += 20) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.isTrue(isSo(), "waited in vain")
}
