import type { Form } from "@posthorn/client"
import { CreateForm } from "@posthorn/contract/audience/forms/Form"
import { Console, Effect, FileSystem, Option, Schema, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import * as Yaml from "yaml"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { CommandFailure, wrongUsage } from "../Failure.ts"
import { folderOption, writerInto } from "../files/Export.ts"
import { Json } from "../Json.ts"
import { confirm, optional, yes } from "../options/Options.ts"
import { diffText } from "../output/Diff.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

/** `segments` in place of `segmentIds`. */
const { segmentIds: _, ...fields } = CreateForm.fields
export const FormDefinition = Schema.Struct({ ...fields, segments: Schema.optionalKey(Schema.Array(Schema.String)) })
export type FormDefinition = typeof FormDefinition.Type

const isSaid = (value: unknown): boolean =>
  value !== null && !(typeof value === "object" && Object.values(value ?? {}).length === 0)

/** Without what has no value, also in texts and fields. */
const trimmed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(trimmed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => [key, trimmed(inner)] as const)
      .filter(([, inner]) => isSaid(inner))
  )
}

/** The definition of a form. `slugOf` gives the slug of a segment. */
export const formDefinitionOf = (form: Form, slugOf: (segment: string) => string): Record<string, unknown> => {
  const { key, name, enabled, fields, subscribe, topics, segmentIds, doubleOptIn, texts, translations } = form
  const { consentRequired, redirectUrl, confirmedRedirectUrl, allowedOrigins, requireTicket } = form
  return trimmed({
    key,
    name,
    enabled,
    fields,
    subscribe,
    topics,
    doubleOptIn,
    texts,
    translations,
    consentRequired,
    redirectUrl,
    confirmedRedirectUrl,
    allowedOrigins,
    requireTicket,
    segments: segmentIds.map(slugOf)
  }) as Record<string, unknown>
}

export const formText = (definition: unknown, format: "json" | "yaml"): string =>
  format === "json"
    ? `${JSON.stringify(definition, null, 2)}\n`
    : Yaml.stringify(definition, { aliasDuplicateObjects: false })

/** JSON is YAML. Other text fails with the parser's error. */
export const parseForm = (text: string): unknown => Yaml.parse(text, { maxAliasCount: 0 })

const blockOf = (form: Form): Block => ({
  rows: [
    ["id", form.id],
    ["key", form.key],
    ["name", form.name],
    ["status", form.enabled ? "enabled" : "disabled"],
    ["page", `/f/${form.publicId}`],
    ["version", form.version],
    ["submissions", form.submissionCount],
    ["confirmed", form.confirmedCount],
    ["spam", form.spamCount]
  ]
})

const formArgument = Argument.String("form").pipe(Argument.withDescription("Key of the form, or its id"))

const everyForm = Effect.flatMap(Api, ({ call }) => call(({ forms }) => forms.list()))

const formAmong = (all: ReadonlyArray<Form>, given: string): Option.Option<Form> =>
  Option.fromUndefinedOr(all.find(({ id, key }) => id === given || key === given))

const formOf = Effect.fnUntraced(function* (given: string) {
  const found = formAmong(yield* everyForm, given)
  if (Option.isSome(found)) return found.value
  return yield* new CommandFailure({
    exit: "notFound",
    code: "RESOURCE_NOT_FOUND",
    message: `The project has no form ${given}.`,
    suggestion: "`posthorn forms list` shows its forms."
  })
})

const list = Command.make(
  "list",
  connectionOptions,
  Effect.fnUntraced(function* () {
    yield* Output.list(Stream.fromIterable(yield* everyForm), {
      head: ["status", "key", "submissions", "confirmed", "spam", "page", "id", "name"],
      row: (form) => [
        form.enabled ? "enabled" : "disabled",
        form.key,
        form.submissionCount,
        form.confirmedCount,
        form.spamCount,
        `/f/${form.publicId}`,
        form.id,
        form.name
      ],
      none: "No forms. Create one with `posthorn forms create <name>`."
    })
  })
).pipe(
  Command.withDescription("List sign-up forms, newest first"),
  Command.withExamples([{ command: "posthorn forms list" }]),
  withApi
)

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("1 to 100 characters")),
    redirectUrl: Flag.String("redirect-url").pipe(
      Flag.withDescription("Where a browser goes after a submission; https"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ name, redirectUrl }) {
    const { call } = yield* Api
    const made = yield* call(({ forms }) => forms.create({ name, ...(redirectUrl !== undefined && { redirectUrl }) }))
    yield* Output.one(made, blockOf(made))
  })
).pipe(
  Command.withDescription("Create a sign-up form that asks for an address; give it more with `forms push`"),
  Command.withShortDescription("Create a sign-up form"),
  Command.withExamples([{ command: "posthorn forms create Newsletter --redirect-url https://shop.example/thanks" }]),
  withApi
)

const everySegment = Effect.flatMap(Api, ({ call }) => call(({ segments }) => segments.list()))

const pull = Command.make(
  "pull",
  {
    form: Argument.String("form").pipe(
      Argument.withDescription("Key or id of one form; default: all forms"),
      Argument.optional
    ),
    folder: folderOption,
    format: Flag.Literals("format", ["yaml", "json"]).pipe(Flag.withDescription("Default yaml"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ form, folder = ".", format = "yaml" }) {
    const wanted = form._tag === "Some" ? [yield* formOf(form.value)] : yield* everyForm
    const known = wanted.some(({ segmentIds }) => segmentIds.length > 0) ? yield* everySegment : []
    const slugOf = (segment: string) => known.find(({ id }) => id === segment)?.slug ?? segment
    const write = yield* writerInto(folder, "form", format)
    const pulled = Effect.fnUntraced(function* (each: Form) {
      const { id, key } = each
      return { id, key, file: yield* write(key, formText(formDefinitionOf(each, slugOf), format)) }
    })
    yield* Output.list(Stream.mapEffect(Stream.fromIterable(wanted), pulled), {
      head: ["file", "id", "key"],
      row: ({ file, id, key }) => [file, id, key],
      none: "The project has no forms."
    })
  })
).pipe(
  Command.withDescription("Write sign-up forms to files; existing files are replaced"),
  Command.withShortDescription("Write sign-up forms to files"),
  Command.withExamples([{ command: "posthorn forms pull --folder forms" }]),
  withApi
)

const decode = Schema.decodeUnknownEffect(FormDefinition)

const readForm = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(fs.readFileString(file), ({ reason }) =>
    wrongUsage(`The file ${file} cannot be read (${reason._tag}).`)
  )
  const parsed = yield* Effect.try({
    try: () => parseForm(text),
    catch: (error) => wrongUsage(`${file} is neither YAML nor JSON: ${error instanceof Error ? error.message : error}`)
  })
  return yield* Effect.mapError(decode(parsed), (error) =>
    wrongUsage(
      `${file} is not a valid form: ${error.message}`,
      "`posthorn forms pull` writes a valid file to compare with."
    )
  )
})

/** What a file leaves out gets its default. */
const wholeOf = ({ segments: _, key: __, ...given }: FormDefinition, segmentIds: ReadonlyArray<string>) => ({
  enabled: null,
  fields: null,
  subscribe: null,
  topics: null,
  doubleOptIn: null,
  texts: null,
  translations: null,
  consentRequired: null,
  redirectUrl: null,
  confirmedRedirectUrl: null,
  allowedOrigins: null,
  requireTicket: null,
  ...given,
  segmentIds
})

const push = Command.make(
  "push",
  {
    file: Argument.String("file").pipe(Argument.withDescription("Definition of a form, in YAML or JSON")),
    yes,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ file, yes }) {
    const { call } = yield* Api
    const given = yield* readForm(file)
    const current = Option.getOrUndefined(given.key == null ? Option.none() : formAmong(yield* everyForm, given.key))
    const named = given.segments ?? []
    const known = named.length + (current?.segmentIds.length ?? 0) > 0 ? yield* everySegment : []
    const ids = named.map((name) => known.find(({ id, slug }) => id === name || slug === name)?.id ?? name)
    const slugOf = (segment: string) => known.find(({ id }) => id === segment)?.slug ?? segment
    const before = current === undefined ? "" : formText(formDefinitionOf(current, slugOf), "yaml")
    const after = formText(given, "yaml")
    if (before === after && current !== undefined) {
      yield* Console.error("Nothing to change.")
      return yield* Output.one(current, blockOf(current))
    }
    yield* Console.error(diffText(before, after))
    yield* confirm(current === undefined ? `Create the form ${given.name}?` : `Change ${current.name}?`, yes)
    const whole = wholeOf(given, ids)
    const { key } = given
    const result = yield* call(({ forms }) =>
      current === undefined ? forms.create({ ...whole, ...(key != null && { key }) }) : forms.update(current.id, whole)
    )
    yield* Output.one(result, blockOf(result))
  })
).pipe(
  Command.withDescription(
    "Create or change a sign-up form from a file; shows the changes and asks first. Finds the form by its key. What the " +
      "file leaves out gets its default."
  ),
  Command.withShortDescription("Create or change a sign-up form from a file"),
  Command.withExamples([{ command: "posthorn forms push forms/newsletter.yaml --yes" }]),
  withApi
)

const snippet = Command.make(
  "snippet",
  { form: formArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ form }) {
    const { call } = yield* Api
    const { id } = yield* formOf(form)
    const found = yield* call(({ forms }) => forms.snippet(id))
    if (yield* Json) return yield* Output.one(found)
    yield* Console.log(`${found.html}\n${found.script}`)
  })
).pipe(
  Command.withDescription("Print the HTML of a sign-up form for a page of your own"),
  Command.withExamples([{ command: "posthorn forms snippet newsletter" }]),
  withApi
)

export const forms = Command.make("forms").pipe(
  Command.withDescription("Sign-up forms; can be stored as files"),
  Command.withExamples([
    { command: "posthorn forms create Newsletter" },
    { command: "posthorn forms snippet newsletter" },
    { command: "posthorn forms pull --folder forms" }
  ]),
  Command.withSubcommands([list, create, pull, push, snippet])
)
