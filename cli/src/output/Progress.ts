/** The progress of a long command: one line on standard error of a terminal, redrawn as it changes. */
import { Clock, Effect, Stdio } from "effect"
import { Json } from "../Json.ts"

export interface Reached {
  readonly done: number
  /** Undefined if the total is unknown. */
  readonly total?: number | undefined
  /** Milliseconds since the start. */
  readonly elapsed: number
}

const width = 20

const duration = (seconds: number): string =>
  seconds < 60 ? `${Math.ceil(seconds)} s` : `${Math.floor(seconds / 60)} min ${Math.ceil(seconds % 60)} s`

/** `[#####               ] 25 %  500/2,000 rows  100 rows/s  15 s left`. */
export const progressText = (unit: string, { done, elapsed, total }: Reached): string => {
  const rate = elapsed > 0 ? (1_000 * done) / elapsed : 0
  const number = (value: number) => Math.round(value).toLocaleString("en")
  const speed = `${number(rate)} ${unit}/s`
  if (total === undefined) return `${number(done)} ${unit}  ${speed}`
  const share = total === 0 ? 1 : Math.min(done / total, 1)
  const filled = Math.floor(share * width)
  const bar = `[${"#".repeat(filled)}${" ".repeat(width - filled)}] ${Math.floor(100 * share)} %`
  const left = share < 1 && rate > 0 ? `  ${duration((total - done) / rate)} left` : ""
  return `${bar}  ${number(done)}/${number(total)} ${unit}  ${speed}${left}`
}

/** Returns functions that draw the line and clear it. They do nothing if standard error is not a terminal. */
export const progress = Effect.fnUntraced(function* (unit: string) {
  const stdio = yield* Stdio.Stdio
  const isShown = yield* stdio.stderrIsTerminal
  const begun = yield* Clock.currentTimeMillis
  const write = (text: string) =>
    isShown ? Effect.sync(() => void process.stderr.write(`\r\u001b[K${text}`)) : Effect.void
  return {
    show: (done: number, total?: number) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        write(progressText(unit, { done, total, elapsed: now - begun }))
      ),
    clear: write("")
  }
})

/** Processes the portions in turn, and shows how many items are done. */
export const portionwise = Effect.fnUntraced(function* <Item, A, E, R>(
  unit: string,
  portions: ReadonlyArray<ReadonlyArray<Item>>,
  work: (portion: ReadonlyArray<Item>) => Effect.Effect<A, E, R>
) {
  if (yield* Json) return yield* Effect.forEach(portions, work)
  const { clear, show } = yield* progress(unit)
  const total = portions.flat().length
  const all = Effect.forEach(portions, (portion, n) =>
    Effect.tap(work(portion), () => show(portions.slice(0, n + 1).flat().length, total))
  )
  return yield* Effect.ensuring(Effect.andThen(show(0, total), all), clear)
})

/** Runs an effect whose progress is unknown. */
export const waiting = Effect.fnUntraced(function* <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) {
  const stdio = yield* Stdio.Stdio
  if (!(yield* stdio.stderrIsTerminal) || (yield* Json)) return yield* effect
  const begun = yield* Clock.currentTimeMillis
  const draw = (text: string) => Effect.sync(() => void process.stderr.write(`\r\u001b[K${text}`))
  const tick = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    draw(`${what} for ${Math.round((now - begun) / 1000)} s`)
  )
  const ticking = Effect.forever(Effect.andThen(tick, Effect.sleep("1 second")))
  return yield* Effect.ensuring(Effect.raceFirst(effect, ticking), draw(""))
})
