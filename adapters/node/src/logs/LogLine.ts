/** The format of a log line: one JSON object for machines, a short line for people. */
import { Formatter } from "effect"

export interface LogLine {
  readonly timestamp: string
  readonly level: string
  readonly message: unknown
  readonly cause: string | undefined
  readonly annotations: Record<string, unknown>
  readonly spans: Record<string, number>
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : Formatter.formatJson(value))

const messageOf = (message: unknown): string =>
  Array.isArray(message) ? message.map(textOf).join(" ") : textOf(message)

/** Annotations are in their own object, so that none can replace a fixed field. */
export const jsonLine = ({ timestamp, level, message, cause, annotations, spans }: LogLine): string =>
  Formatter.formatJson({
    time: timestamp,
    level: level.toLowerCase(),
    message: messageOf(message),
    ...(cause === undefined ? {} : { cause }),
    ...(Object.keys(annotations).length === 0 ? {} : { fields: annotations }),
    ...(Object.keys(spans).length === 0 ? {} : { spansMillis: spans })
  })

const paint: { readonly [level: string]: number } = { TRACE: 90, DEBUG: 90, INFO: 36, WARN: 33, ERROR: 31, FATAL: 35 }

/** `12:01:02.345 INFO  message  key=value`, with the cause below. */
export const prettyLine = ({ timestamp, level, message, cause, annotations }: LogLine, colours: boolean): string => {
  const time = timestamp.slice(11, 23)
  const tag = level.padEnd(5)
  const shown = colours ? `\u001b[2m${time}\u001b[0m \u001b[${paint[level] ?? 0}m${tag}\u001b[0m` : `${time} ${tag}`
  const fields = Object.entries(annotations).map(([name, value]) => `  ${name}=${textOf(value)}`)
  const below = cause === undefined ? "" : `\n${cause.replace(/^/gm, "    ")}`
  return `${shown} ${messageOf(message)}${fields.join("")}${below}`
}
