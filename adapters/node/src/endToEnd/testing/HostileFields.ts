/**
 * Fills every text that a stranger can send over HTTP (`TextFields.ts`) with hostile shapes of n and 2n characters, up to
 * the limit of the field. The work of the server must not grow faster than the text, and must not block its event loop.
 *
 * Most texts cost little, so several requests run at once, and only if their sum is high each one runs alone. What costs
 * little at the limit of its field is no finding, however it grows.
 */
import { type HostileShape, hostileShapes } from "@posthorn/core/testing/HostileText"
import { loopMillis, processMillis } from "./ServerTimes.ts"
import { type Request, type Requests, type TextField, textFields } from "./TextFields.ts"

/** The server and the values that make a request valid. */
export interface Target extends Requests {
  readonly pid: number
}

export interface Options {
  /** Shapes of each field; neighbouring fields get different ones. Infinity tries all. */
  readonly shapes: number
  /** Characters of a field with a higher limit. */
  readonly longest: number
  /** Milliseconds that the event loop may be blocked. */
  readonly mostStanding: number
  /** Milliseconds of work below which nothing is a finding. */
  readonly quick: number
  /** Which fields are tried; all unless it is given. */
  readonly fields?: (field: string) => boolean
  /** Position of the first field that is tried. */
  readonly from?: number
  /** Milliseconds after which no further field is tried. */
  readonly duration?: number
  /** Which fields and shapes are tried, each with all its shapes; all unless it is given. */
  readonly only?: (field: string, shape: string) => boolean
  /** Called after each field with its own findings. */
  readonly onField?: (progress: {
    readonly at: number
    readonly fields: number
    readonly findings: ReadonlyArray<string>
  }) => void
}

/** A figure, with the field and the shape that caused it. */
export interface Most {
  readonly value: number
  readonly text: string
}

export interface Tally {
  readonly fields: number
  /** Position of the first field that was not tried; undefined after the last one. */
  readonly next: number | undefined
  readonly texts: number
  readonly requests: number
  /** Texts that were tried with n and 2n characters, because they were not quick. */
  readonly doubled: number
  /** The number of answers with each status. */
  readonly statuses: Readonly<Record<string, number>>
  /** The highest ratio of the work for 2n characters to that for n. */
  readonly ratio: Most
  /** The longest time in milliseconds that one text blocked the event loop. */
  readonly stop: Most
  readonly findings: ReadonlyArray<string>
}

/** Texts that most parsers read: every shape is tried on them, however few the others get. */
const always = new Set([
  "send body",
  "send subject",
  "send to",
  "send headers.X-Hostile",
  "send from",
  "send attachments.0.content",
  "send attachments.0.contentType",
  "templates.create body",
  "partials.create body",
  "contacts.upsert email",
  "domains.add domain"
])

/** Work that is proportional to the text has a ratio of 2, quadratic work one of 4. */
const growth = 3.2
/** Only the best try counts. What still looks like a finding is tried again, because other work may slow one of them. */
const tries = { least: 2, most: 4 }
/** Other processes, such as PostgreSQL, may work for that many milliseconds. Their CPU time is not measured. */
const slow = 500
/** Requests at once while their texts have at most that many characters together. */
const atOnce = { requests: 8, characters: 16_000 }
/** A longer text may be refused for its length alone by a check of its own. A part of it is then tried, too. */
const long = { characters: 100_000, part: 1 / 16 }

const patience = 30_000

const ask = async ({ url, init }: Request, statuses: Record<string, number> = {}) => {
  const before = performance.now()
  const response = await fetch(url, { ...init, redirect: "manual", signal: AbortSignal.timeout(patience) })
  // A stream has no end.
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) await response.body?.cancel()
  else await response.arrayBuffer()
  statuses[response.status] = (statuses[response.status] ?? 0) + 1
  return performance.now() - before
}

/** Milliseconds of all threads of the server, and those that passed. */
interface Cost {
  readonly work: number
  readonly passed: number
}

const least = (one: Cost, two: Cost): Cost => ({
  work: Math.min(one.work, two.work),
  passed: Math.min(one.passed, two.passed)
})

const nothing: Cost = { work: 0, passed: 0 }
const costly: Cost = { work: Number.POSITIVE_INFINITY, passed: Number.POSITIVE_INFINITY }

export const hostileFields = async (target: Target, options: Options): Promise<Tally> => {
  const { duration = Number.POSITIVE_INFINITY, from = 0, mostStanding, only, quick } = options
  const started = performance.now()
  const findings: Array<string> = []
  const statuses: Record<string, number> = {}
  let texts = 0
  let doubled = 0
  let ratio: Most = { value: 0, text: "none" }
  let stop: Most = { value: 0, text: "none" }

  const costOf = async (...requests: ReadonlyArray<Request>): Promise<Cost> => {
    const [work, time] = [processMillis(target.pid), performance.now()]
    await Promise.all(requests.map((request) => ask(request, statuses)))
    return { work: Math.max(0, processMillis(target.pid) - work), passed: performance.now() - time }
  }

  /** How long a request blocks the event loop: what it works while one other request waits. */
  const standing = async (request: Request): Promise<number> => {
    let isOver = false
    let most = 0
    const others = async () => {
      while (!isOver) {
        const before = loopMillis(target.pid)
        const waited = await ask({ url: `${target.url}/health`, init: {} })
        most = Math.max(most, Math.min(waited, loopMillis(target.pid) - before))
      }
    }
    const watching = others()
    await ask(request, statuses)
    isOver = true
    await watching
    return most
  }

  const usualCosts = new Map<string, Cost>()

  /** The other work of a request: that of one with a short text, for any field of its operation. */
  const usual = async (field: TextField): Promise<Cost> => {
    const operation = field.name.slice(0, field.name.lastIndexOf(" "))
    let cost = usualCosts.get(operation)
    if (cost === undefined) {
      cost = least(await costOf(field.request("a")), await costOf(field.request("a")))
      usualCosts.set(operation, cost)
    }
    return cost
  }

  const isQuick = ({ work, passed }: Cost, base: Cost, requests = 1) =>
    work < quick + 1.5 * base.work * requests && passed < slow + 1.5 * base.passed * requests

  const growthOf = (one: Cost, two: Cost, base: Cost) => {
    const times = (name: "work" | "passed", smallest: number) =>
      two[name] - base[name] < smallest ? 0 : (two[name] - base[name]) / Math.max(one[name] - base[name], smallest / 4)
    return Math.max(times("work", quick), times("passed", slow))
  }

  const judged = async (field: TextField, shape: HostileShape, length: number, base: Cost) => {
    const whole = () => field.request(shape.at(length))
    const half = () => field.request(shape.at(Math.floor(length / 2)))
    const quarter = () => field.request(shape.at(Math.floor(length / 4)))
    let two = await costOf(whole())
    if (isQuick(two, base)) return undefined
    doubled++
    let one = costly
    let first = costly
    let stood = Number.POSITIVE_INFINITY
    let finding: string | undefined
    const text = `${field.name}, ${shape.name}`
    for (let n = 0; n < tries.least || (n < tries.most && finding !== undefined); n++) {
      one = least(one, await costOf(half()))
      two = least(two, await costOf(whole()))
      stood = Math.min(stood, two.work > mostStanding / 2 ? await standing(whole()) : two.work)
      const about = `${text}: ${one.work.toFixed(0)} ms of work (${one.passed.toFixed(0)} passed) for ${Math.floor(length / 2)} characters, ${two.work.toFixed(0)} ms (${two.passed.toFixed(0)}) for ${length}`
      // Work that only has a step between two lengths, such as a collection of garbage, is not a shape's.
      if (growthOf(one, two, base) > growth) first = least(first, await costOf(quarter()))
      const grown = growthOf(one, two, base) > growth && growthOf(first, two, base) > growth ** 2
      finding = grown
        ? `${about}: faster than linear`
        : stood > mostStanding
          ? `${about}: others waited ${stood.toFixed(0)} ms`
          : undefined
    }
    const value = growthOf(one, two, base)
    if (value > ratio.value) ratio = { value, text }
    if (stood > stop.value) stop = { value: stood, text }
    return finding
  }

  const tried = async (field: TextField, shapes: ReadonlyArray<HostileShape>, length: number, base: Cost) => {
    if (shapes.length > 1) {
      const requests = shapes.map((shape) => field.request(shape.at(length)))
      const together = await costOf(...requests).catch(() => costly)
      if (isQuick(together, base, shapes.length)) return
    }
    for (const shape of shapes) {
      const finding = await judged(field, shape, length, base).catch(
        (error: unknown) => `${field.name}, ${shape.name}: ${error}`
      )
      if (finding !== undefined) findings.push(finding)
    }
  }

  const fields = textFields(target, options.longest).filter(({ name }) => options.fields?.(name) ?? true)
  let next = from
  for (const [at, field] of fields.slice(from).entries()) {
    if (performance.now() - started > duration) break
    const position = from + at
    const before = findings.length
    const isWhole = always.has(field.name) || only !== undefined
    const count = isWhole ? hostileShapes.length : Math.min(options.shapes, hostileShapes.length)
    const shapes = Array.from({ length: count }, (_, n) => hostileShapes[(position * count + n) % hostileShapes.length])
      .filter((shape) => shape !== undefined)
      .filter((shape) => only?.(field.name, shape.name) ?? true)
    const lengths = field.limit > long.characters ? [field.limit, Math.floor(field.limit * long.part)] : [field.limit]
    const base = await usual(field).catch(() => nothing)
    for (const length of lengths) {
      const group = Math.max(1, Math.min(atOnce.requests, Math.floor(atOnce.characters / length)))
      for (let first = 0; first < shapes.length; first += group) {
        await tried(field, shapes.slice(first, first + group), length, base)
      }
    }
    texts += shapes.length * lengths.length
    next = position + 1
    options.onField?.({ at: next, fields: fields.length, findings: findings.slice(before) })
  }
  const requests = Object.values(statuses).reduce((sum, count) => sum + count, 0)
  return {
    fields: next - from,
    next: next < fields.length ? next : undefined,
    texts,
    requests,
    doubled,
    statuses,
    ratio,
    stop,
    findings
  }
}
