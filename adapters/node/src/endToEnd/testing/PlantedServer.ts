/**
 * A server that answers every request, and reads four texts of a JSON body each in another way. `HostileFields` must find
 * those that are not linear or that take too long. It prints its address.
 */
import { createServer } from "node:http"
import { Predicate } from "effect"

/** Looks at every following letter, from each letter on. */
const quadratic = (text: string) => {
  let found = 0
  for (let from = 0; from < text.length; from++) {
    for (let at = from; at < text.length && text.charCodeAt(at) === 60; at++) found++
  }
  return found
}

/** For this many milliseconds of the processor, however busy the machine is. */
const block = (millis: number) => {
  const before = process.cpuUsage()
  const used = () => Object.values(process.cpuUsage(before)).reduce((sum, micros) => sum + micros, 0) / 1_000
  while (used() < millis);
}

const textOf = (body: unknown, name: string) => {
  const value = Predicate.isObject(body) ? Reflect.get(body, name) : undefined
  return typeof value === "string" ? value : ""
}

const server = createServer((request, response) => {
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => {
    const text = Buffer.concat(parts).toString()
    const body: unknown = text === "" ? {} : JSON.parse(text)
    quadratic(textOf(body, "body"))
    // In proportion to the text, and too long.
    block(textOf(body, "text").length / 150)
    // In proportion to the text, and short enough.
    block(textOf(body, "source").length / 1_000)
    // As for each password: costly, whatever the text is.
    if (textOf(body, "name") !== "") block(40)
    response.end("{}")
  })
})

server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  if (address !== null && typeof address === "object") process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
