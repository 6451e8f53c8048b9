/** Attachments of an email. Their number and size are settings of the server, which checks them. */
import { Schema, SchemaIssue } from "effect"
import { described, isLength, optional, required } from "../../platform/Primitives.ts"

/** RFC 4648 section 4, padding optional. Blanks and line breaks are removed first. */
const isBase64 = Schema.makeFilter(
  (text: string) => {
    const dense = text.replace(/[ \t\r\n]+/g, "").replace(/={0,2}$/, "")
    return dense.length > 0 && dense.length % 4 !== 1 && /^[A-Za-z0-9+/]*$/.test(dense)
      ? true
      : new SchemaIssue.InvalidValue({ code: "invalid_string", message: "Not base64, or empty.", secret: true })
  },
  { toJsonSchema: () => ({ contentEncoding: "base64" }) }
)

export const Attachment = Schema.Struct({
  filename: required(
    Schema.String.check(
      isLength(1, 255),
      Schema.isPattern(/^[^\p{Cc}"/\\]*$/u, {
        message: "Must not contain a quote, slash, backslash or control character."
      })
    )
  ),
  content: required(Schema.String.check(isLength(0, 40 * 1024 * 1024), isBase64)).pipe(
    described("The file in base64 (RFC 4648 section 4); padding may be left out, blanks and line breaks are ignored.")
  ),
  contentType: optional(
    Schema.String.check(
      isLength(1, 255),
      Schema.isPattern(/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:\s*;\s*[\w!#$&^.+-]+=(?:[\w!#$&^.+-]+|"[^"\p{Cc}]*"))*$/u, {
        message: "Not a media type."
      })
    )
  ).pipe(described("Media type; default: derived from the extension of the file name.")),
  disposition: optional(Schema.Literals(["attachment", "inline"])).pipe(described("Default: `attachment`.")),
  contentId: optional(
    Schema.String.check(isLength(1, 255), Schema.isPattern(/^[!-;=?-~]*$/, { message: "Not a content id." }))
  ).pipe(described("The body refers to an inline file as `cid:<contentId>`; unique in the request."))
}).annotate({ identifier: "Attachment", description: "A file attached to an email." })
export type Attachment = typeof Attachment.Type

/** The body refers to inline parts by content id, so each inline part needs a unique one. */
export const Attachments = Schema.Array(Attachment).check(
  Schema.makeFilter((attachments) => {
    const seen = new Set<string>()
    return attachments.flatMap(({ disposition, contentId }, index): ReadonlyArray<Schema.FilterIssue> => {
      const path = [index, "contentId"]
      const fault = (code: string, message: string) => [
        { path, issue: new SchemaIssue.InvalidValue({ code, message }) }
      ]
      if (contentId == null)
        return disposition === "inline" ? fault("required", "An inline part needs a content id.") : []
      if (seen.has(contentId)) return fault("custom", "This content id is given twice.")
      seen.add(contentId)
      return []
    })
  })
)
