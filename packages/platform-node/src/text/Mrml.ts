/**
 * Compiles MJML with `mrml`, which is WebAssembly without access to files or to the network. A source that overflows
 * its stack or makes it panic throws a `WebAssembly.RuntimeError`; its memory cannot be used after that.
 */
import type { Engine as Compile, Compiled } from "@posthorn/core/content/rendering/Mjml"
import { Engine, type ToHtmlError } from "mrml"

export const make = (): Compile => {
  const engine = new Engine()
  return (source) => {
    const result = engine.toHtml(source)
    return result.type === "success" ? { html: result.content } : fault(source, result)
  }
}

const fault = (source: string, error: ToHtmlError): Compiled => {
  if (error.origin === "render") return { message: sentence(error.message), at: undefined }
  const { details } = error
  switch (details.type) {
    case "parser-error": {
      const place = [...details.source.matchAll(/ at (\d+):(\d+)/g)].at(-1)
      const message = sentence(details.source.replaceAll(/ at \d+:\d+/g, "").replace(" cause ", ": "))
      return { message, at: place && offsetOfPlace(source, Number(place[1]), Number(place[2])) }
    }
    case "end-of-stream":
      return { message: "The source ends in the middle of an element.", at: source.length }
    case "no-root-node":
      return { message: "The source has no <mjml> element.", at: 0 }
    case "unexpected-element":
      return { message: "This element is not allowed here.", at: offsetOfByte(source, details.position.start) }
    case "unexpected-token":
      return { message: "This is not allowed here.", at: offsetOfByte(source, details.position.start) }
    case "missing-attribute":
      return {
        message: `The attribute '${details.name}' is missing.`,
        at: offsetOfByte(source, details.position.start)
      }
    case "invalid-attribute":
      return { message: "This attribute cannot be read.", at: offsetOfByte(source, details.position.start) }
    default:
      return {
        message: sentence(error.message.replace(/ in root template.*/s, "")),
        at: "position" in details ? offsetOfByte(source, details.position.start) : undefined
      }
  }
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`

/** The compiler counts bytes of UTF-8. */
const offsetOfByte = (source: string, byte: number): number => Buffer.from(source).subarray(0, byte).toString().length

/** The offset of a line and a column, both from 1. Columns count code points. */
const offsetOfPlace = (source: string, line: number, column: number): number => {
  let start = 0
  for (let n = 1; n < line; n++) {
    const end = source.indexOf("\n", start)
    if (end === -1) break
    start = end + 1
  }
  const [text = ""] = source.slice(start).split("\n", 1)
  return start + [...text].slice(0, column - 1).join("").length
}
