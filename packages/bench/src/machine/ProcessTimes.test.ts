import { assert, describe, it } from "@effect/vitest"
import { cpuOfStat, peakOfStatus, rssOfStatus, ticksOfStat } from "./ProcessTimes.ts"

describe("what proc(5) tells", () => {
  it("CPU time is user and system time, whatever the process calls itself", () => {
    const stat = "4242 (node (main) x) S 1 4242 4242 0 -1 4194304 900 0 0 0 150 25 0 0 20 0 11 0 77 1 1"
    assert.strictEqual(cpuOfStat(stat), 1750)
  })

  it("memory is what is resident, now and at most", () => {
    const status = "Name:\tnode\nVmHWM:\t  262144 kB\nVmRSS:\t  131072 kB\nThreads:\t11\n"
    assert.deepStrictEqual([rssOfStatus(status), peakOfStatus(status)], [128, 256])
  })

  it("steal is told apart from idling and waiting", () => {
    const stat = "cpu  100 1 50 800 20 3 6 20 0 0\ncpu0 50 0 25 400 10 1 3 10 0 0\n"
    assert.deepStrictEqual(ticksOfStat(stat), { all: 1000, idle: 820, steal: 20 })
  })
})
