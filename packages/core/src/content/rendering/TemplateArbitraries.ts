/** Generators of sources and variables for the tests of rendering. */
import type { Schema } from "effect"
import * as fc from "fast-check"

/** Text that is almost a template. */
export const anyPieces: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "{{",
        "}}",
        "{{{",
        "}}}",
        "{{#if a}}",
        "{{else}}",
        "{{/if}}",
        "{{#each b}}",
        "{{/each}}",
        "{{else if c}}",
        "{{^}}",
        "{{!--",
        "--}}",
        "{{!",
        "~",
        "\\",
        "\\\\",
        "{{~",
        "~}}",
        "??",
        '"',
        "'",
        "[",
        "]",
        "(",
        "|",
        "@",
        ".",
        "../",
        "{{a}}",
        "{{b.c ?? d}}",
        "{{upper a}}",
        "{{date a}}",
        "{{number b}}",
        "{{> a}}",
        "{{> a b=c d='e'}}",
        "{{>",
        "{{> content}}",
        "this",
        "as",
        "=",
        "\n",
        " ",
        "\0"
      ),
      fc.string({ unit: "grapheme", maxLength: 4 })
    ),
    { maxLength: 30 }
  )
  .map((pieces) => pieces.join(""))

export const anyJson: fc.Arbitrary<Schema.Json> = fc.jsonValue({ maxDepth: 4 }).map((value) => value as Schema.Json)

/** Keys that the templates below use, with values of every kind. */
export const anyVariables: fc.Arbitrary<Schema.JsonObject> = fc.dictionary(
  fc.constantFrom("a", "b", "c", "d", "locale", "__proto__", "constructor", "first name"),
  anyJson
)

/** Names that the sources above and below use. */
export const anyName = fc.constantFrom("a", "b", "c")

const anyText = fc.constantFrom(
  "",
  " ",
  "\n",
  "  \n",
  "\n  ",
  " \n\n ",
  "x",
  "x\n",
  "\nx",
  " { } ",
  "\r\n",
  "\\{{lit}} ",
  "\\\\"
)
const anyTilde = fc.constantFrom("", "", "", "~")
const tag = (inner: string): fc.Arbitrary<string> =>
  fc.tuple(anyTilde, anyTilde).map(([l, r]) => `{{${l}${inner}${r}}}`)

const anyValue = fc
  .constantFrom("a", "d", "c.d", "../a", "@root.d", "this.a", "./d", "[a]")
  .chain((path) => fc.oneof(tag(path), tag(`{${path}}`), tag(`&${path}`)))
const anyIndex = tag("@index")
const anyComment = fc.constantFrom("! note ", "!-- {{a}} --").chain(tag)

const anySubject = fc.constantFrom("a", "b", "c", "d", "e", "@first", "missing")

/** Valid templates that have the same meaning in Handlebars, with line breaks and `~` in all positions. */
export const anyTemplate: fc.Arbitrary<string> = fc.letrec<{ body: string; block: string }>((tie) => ({
  body: fc
    .array(fc.oneof({ depthSize: "small" }, anyText, anyValue, anyIndex, anyComment, tie("block")), { maxLength: 5 })
    .map((parts) => parts.join("")),
  block: fc
    .tuple(fc.constantFrom("if", "unless", "each"), anySubject, tie("body"), fc.option(tie("body")))
    .chain(([name, subject, body, otherwise]) =>
      fc
        .tuple(tag(`#${name} ${subject}`), tag("else"), tag(`/${name}`))
        .map(([open, turn, close]) => `${open}${body}${otherwise === null ? "" : turn + otherwise}${close}`)
    )
})).body
