/** Checks whether work on a text takes time in proportion to its length. */
import { type HostileShape, hostileShapes } from "./HostileText.ts"

/** Durations below this many milliseconds are noise. */
const noise = 25
/** Allowed ratio for twice the text, with slack for a busy machine. Quadratic work has a ratio of 4. */
const most = 3.2
const tries = 3

const millis = async (work: () => unknown): Promise<number> => {
  const before = performance.now()
  await work()
  return performance.now() - before
}

const quickest = async (work: () => unknown): Promise<number> => {
  let best = Number.POSITIVE_INFINITY
  for (let n = 0; n < tries; n++) best = Math.min(best, await millis(work))
  return best
}

export interface Work {
  readonly name: string
  readonly run: (text: string) => unknown
  /** The length of the longest text. */
  readonly limit: number
  /** Most milliseconds that any shape may take. Left out where the work does not run on the event loop. */
  readonly longest?: number
}

const grows = async ({ longest = Number.POSITIVE_INFINITY, limit, name, run }: Work, shape: HostileShape) => {
  const whole = shape.at(limit)
  const first = await millis(() => run(whole))
  if (first < noise) return undefined
  const half = shape.at(limit / 2)
  const [one, two] = [await quickest(() => run(half)), Math.min(first, await quickest(() => run(whole)))]
  const said = `${name}, ${shape.name}: ${one.toFixed(1)} ms for ${limit / 2} characters, ${two.toFixed(1)} ms for ${limit}`
  return two > longest || (two > noise && two > most * one) ? said : undefined
}

/** A message for each shape for which the work grows faster than the text or takes too long. */
export const growing = async (
  work: Work,
  shapes: ReadonlyArray<HostileShape> = hostileShapes
): Promise<ReadonlyArray<string>> => {
  const findings: Array<string> = []
  for (const shape of shapes) {
    // The first run pays for compilation.
    await work.run(shape.at(200))
    // Another process may have used the processor for a while. Real growth occurs every time.
    let finding = await grows(work, shape)
    for (let again = 0; again < 2 && finding !== undefined; again++) finding = await grows(work, shape)
    if (finding !== undefined) findings.push(finding)
  }
  return findings
}
