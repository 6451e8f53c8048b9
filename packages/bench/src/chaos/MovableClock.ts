/**
 * Loaded before a program whose clock jumps. A message with a number of milliseconds moves its wall clock by that much
 * from the true time, as if someone set the time of the machine. Timers and the monotonic clock continue.
 */
import process from "node:process"

const TrueDate = globalThis.Date
let ahead = 0
const now = () => TrueDate.now() + ahead

globalThis.Date = new Proxy(TrueDate, {
  construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [now()] : given, made),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name))
})

process.on("message", (milliseconds) => {
  ahead = Number(milliseconds)
  process.send?.("moved")
})
// Waiting for a message does not keep the process alive.
process.channel?.unref()
