/**
 * Loaded before a program whose clock is to jump: a message of so many milliseconds moves its wall clock so far from the
 * true one, as somebody would who sets the time of the machine. Timers and the monotonic clock go on.
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
// Nobody waits for the next message.
process.channel?.unref()
