/** The SMTP lines of one attempt to hand over a message, masked and with a limited size. */
import type { Dialogue, DialogueLine } from "@posthorn/core/platform/Mailer"
import * as SmtpReply from "./SmtpReply.ts"

/** Lines that are kept from the start and from the end of an attempt. */
const linesOfEach = 50
/** Bytes that are kept from the start and from the end of an attempt. */
const bytesOfEach = 4_096
const longestLine = 512
/** A line is masked as a whole and then shortened. A line that is longer than this is not kept. */
const longestRead = 100_000

const hidden = "***"

export interface Recorder {
  /** Starts the next attempt on the same connection. */
  readonly reuse: () => void
  readonly server: (reply: string) => void
  readonly client: (line: string) => void
  /** While the effect of `AUTH` runs, everything that the client sends is hidden. */
  readonly hide: (isHidden: boolean) => void
  readonly read: () => Dialogue
}

interface Heard {
  readonly at: number
  readonly from: "C" | "S"
  readonly text: string
}

/** Texts that no line may contain: user and password, in each of the forms in which they are sent. */
export const make = (secrets: ReadonlyArray<string>): Recorder => {
  let began = performance.now()
  let isReused = false
  let isHidden = false
  let first: Array<Heard> = []
  let last: Array<Heard> = []

  const add = (from: "C" | "S", text: string) => {
    const heard = { at: Math.round(performance.now() - began), from, text }
    if (first.length < linesOfEach) return void first.push(heard)
    last.push(heard)
    if (last.length > linesOfEach) last.shift()
  }

  const lineOf = ({ at, from, text }: Heard): DialogueLine => ({
    at,
    from,
    text: text.length > longestRead ? `(${text.length} characters)` : SmtpReply.shown(text, secrets, longestLine)
  })

  /** As many lines as fit into the limit. */
  const within = (lines: ReadonlyArray<DialogueLine>): ReadonlyArray<DialogueLine> => {
    let left = bytesOfEach
    const end = lines.findIndex(({ text }) => {
      left -= Buffer.byteLength(text)
      return left < 0
    })
    return end === -1 ? lines : lines.slice(0, end)
  }

  return {
    reuse: () => {
      began = performance.now()
      isReused = true
      first = []
      last = []
    },
    server: (reply) => {
      for (const line of reply.split(/\r?\n/)) add("S", line)
    },
    client: (line) => add("C", isHidden ? hidden : line),
    hide: (next) => {
      isHidden = next
    },
    read: () => ({
      reused: isReused,
      lines: [...within(first.map(lineOf)), ...within(last.map(lineOf).toReversed()).toReversed()]
    })
  }
}
