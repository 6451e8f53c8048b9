/** Where log lines go, their format, and their redaction. */
import { Array, Cause, Layer, Logger, LogLevel, Predicate, References, Result } from "effect"
import { FetchHttpClient, HttpBody } from "effect/http"
import { Otlp, OtlpSerialization } from "effect/observability"
import type { Config } from "./Config.ts"
import { jsonLine, type LogLine, prettyLine } from "./logs/LogLine.ts"
import { redactFields, redactText, redactTexts } from "./logs/Redaction.ts"
import { version } from "./Version.ts"

/** Standard output holds the result of a command, so log lines go to standard error. */
export interface Target {
  readonly isTerminal: boolean
  readonly hasColours: boolean
  readonly write: (text: string) => void
}

/** Objects in a message become fields. Errors are formatted like causes, because they would lose their text as JSON. */
const apart = (message: unknown) => {
  const [others, errors] = Array.partition(Array.ensure(message), (part) =>
    part instanceof Error ? Result.fail(part) : Result.succeed(part)
  )
  const [parts, fields] = Array.partition(others, (part) =>
    Predicate.isObject(part) ? Result.fail(part) : Result.succeed(part)
  )
  return { parts, fields: Object.assign({}, ...fields), errors: errors.map((error) => Cause.pretty(Cause.die(error))) }
}

/** The structured form of every line, without secrets. */
export const safeLine: Logger.Logger<unknown, LogLine> = Logger.make((options) => {
  const { parts, fields, errors } = apart(options.message)
  const { cause, message, annotations, ...line } = Logger.formatStructured.log({ ...options, message: parts })
  const allowAddresses = LogLevel.isLessThanOrEqualTo(options.logLevel, "Debug")
  const causes = [...errors, ...(cause === undefined ? [] : [cause])]
  return {
    ...line,
    message: redactTexts(message, allowAddresses),
    cause: causes.length === 0 ? undefined : redactText(causes.join("\n"), allowAddresses),
    annotations: redactFields({ ...annotations, ...fields }, allowAddresses)
  }
})

/** Redacts each text separately, because a whole batch may be long. */
const redactedJson = (data: unknown) =>
  HttpBody.text(JSON.stringify(redactTexts(JSON.parse(JSON.stringify(data)), false)), "application/json")

/** Telemetry is redacted like log lines before it goes to a collector. */
const redactedTelemetry = Layer.succeed(OtlpSerialization.OtlpSerialization, {
  logs: redactedJson,
  metrics: redactedJson,
  traces: redactedJson
})

const telemetry = (baseUrl: string) =>
  Otlp.layer({ baseUrl, resource: { serviceName: "posthorn", serviceVersion: version } }).pipe(
    Layer.provide([redactedTelemetry, FetchHttpClient.layer])
  )

/** Without a collector, spans have no reader and are not created. */
const noTelemetry = Layer.succeed(References.TracerEnabled, false)

export const layer = (
  { logFormat, logLevel, otlpUrl }: Pick<Config, "logFormat" | "logLevel" | "otlpUrl">,
  { hasColours, isTerminal, write }: Target
): Layer.Layer<never> => {
  const isPretty = (logFormat ?? (isTerminal ? "pretty" : "json")) === "pretty"
  const format = isPretty ? (line: LogLine) => prettyLine(line, hasColours) : jsonLine
  const lines = Logger.layer([Logger.map(safeLine, (line) => write(`${format(line)}\n`))])
  const minimum = Layer.succeed(References.MinimumLogLevel, logLevel)
  return Layer.provideMerge(otlpUrl === undefined ? noTelemetry : telemetry(otlpUrl), Layer.merge(lines, minimum))
}
