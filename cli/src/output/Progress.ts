/** How far a command has come, for people who wait: one line on the standard error of a terminal, gone at the end. */
import { Clock, Effect } from "effect"
import { Json } from "../Json.ts"

const isShown = () => process.stderr.isTTY === true

const write = (text: string) => Effect.sync(() => void process.stderr.write(`\r\u001b[2K${text}`))

const bar = (share: number): string => `${"█".repeat(Math.round(share * 20)).padEnd(20, "░")}`

const line = (what: string, done: number, total: number, seconds: number): string => {
  const rate = seconds > 0 ? done / seconds : 0
  const left = rate > 0 ? `${Math.ceil((total - done) / rate)} s left` : ""
  return `${what} ${bar(total === 0 ? 1 : done / total)} ${done} of ${total}  ${Math.round(rate)}/s  ${left}`.trimEnd()
}

/** Works through the portions, one after the other, and shows how many items are done. */
export const portionwise = Effect.fnUntraced(function* <Item, A, E, R>(
  what: string,
  portions: ReadonlyArray<ReadonlyArray<Item>>,
  work: (portion: ReadonlyArray<Item>) => Effect.Effect<A, E, R>
) {
  if (!isShown() || (yield* Json)) return yield* Effect.forEach(portions, work)
  const begun = yield* Clock.currentTimeMillis
  const total = portions.flat().length
  const tell = (done: number) =>
    Effect.flatMap(Clock.currentTimeMillis, (now) => write(line(what, done, total, (now - begun) / 1000)))
  const all = Effect.forEach(portions, (portion, n) =>
    Effect.tap(work(portion), () => tell(portions.slice(0, n + 1).flat().length))
  )
  return yield* Effect.ensuring(Effect.andThen(tell(0), all), write(""))
})

/** Runs the effect, of which nobody can say how far it has come. */
export const waiting = Effect.fnUntraced(function* <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) {
  if (!isShown() || (yield* Json)) return yield* effect
  const begun = yield* Clock.currentTimeMillis
  const tick = Effect.flatMap(Clock.currentTimeMillis, (now) =>
    write(`${what} for ${Math.round((now - begun) / 1000)} s`)
  )
  const ticking = Effect.forever(Effect.andThen(tick, Effect.sleep("1 second")))
  return yield* Effect.ensuring(Effect.raceFirst(effect, ticking), write(""))
})
