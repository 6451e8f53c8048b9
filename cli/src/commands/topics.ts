import type { Topic, TopicUsage, UpdateTopic } from "@posthorn/client"
import { Effect, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { Api, withApi } from "../api/Api.ts"
import { connectionOptions } from "../api/Connection.ts"
import { confirm, jsonObject, limitOptions, optional, pageLimit, upTo, yes } from "../options/Options.ts"
import * as Output from "../output/Output.ts"
import type { Block } from "../output/Table.ts"

const topicArgument = Argument.String("topic").pipe(Argument.withDescription("Key of the topic, or its id"))

const topicOptions = {
  description: Flag.String("description").pipe(Flag.withDescription("What recipients read below the name"), optional),
  translations: jsonObject("translations").pipe(
    Flag.withDescription("Name and description by language, in place of the stored ones"),
    optional
  ),
  visibility: Flag.Literals("visibility", ["public", "private"]).pipe(
    Flag.withDescription("private: not in forms, and on the pages of those alone who take it"),
    optional
  ),
  doubleOptIn: Flag.Boolean("double-opt-in").pipe(
    Flag.withDescription("Contacts must confirm that they want it; --no-double-opt-in: they need not"),
    optional
  ),
  position: Flag.Int("position").pipe(Flag.withDescription("Place in lists and on pages"), optional)
}

const blockOf = (topic: Topic): Block => ({
  rows: [
    ["id", topic.id],
    ["key", topic.key],
    ["name", topic.name],
    ...(topic.description === null ? [] : [["description", topic.description]]),
    ["languages", Object.keys(topic.translations).join(", ")],
    ["default", topic.defaultSubscription],
    ["visibility", topic.visibility],
    ["double opt-in", topic.doubleOptIn === null ? "by the settings" : topic.doubleOptIn ? "yes" : "no"],
    ["position", topic.position],
    ["archived", topic.archived ? "yes" : "no"],
    ["subscribers", topic.subscriberCount],
    ["said yes", topic.subscribedCount],
    ["said no", topic.unsubscribedCount],
    ["created", topic.createdAt],
    ["updated", topic.updatedAt]
  ]
})

const list = Command.make(
  "list",
  {
    archived: Flag.Literals("archived", ["false", "true", "all"]).pipe(
      Flag.withDescription("Archived topics alone (true), or all"),
      optional
    ),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ archived }) {
    const { call } = yield* Api
    const topics = yield* call(({ topics }) => topics.list({ archived }))
    yield* Output.list(Stream.fromIterable(topics), {
      head: ["key", "default", "visibility", "subscribers", "yes", "no", "archived", "name"],
      row: (topic) => [
        topic.key,
        topic.defaultSubscription,
        topic.visibility,
        topic.subscriberCount,
        topic.subscribedCount,
        topic.unsubscribedCount,
        topic.archived ? "yes" : "no",
        topic.name
      ],
      none: "There are no such topics. Create one with `posthorn topics create <name>`."
    })
  })
).pipe(
  Command.withDescription("List the topics of the project by position, with their counts"),
  Command.withExamples([{ command: "posthorn topics list" }, { command: "posthorn topics list --archived all" }]),
  withApi
)

const show = Command.make(
  "show",
  { topic: topicArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ topic }) {
    const { call } = yield* Api
    const found = yield* call(({ topics }) => topics.get(topic))
    yield* Output.one(found, blockOf(found))
  })
).pipe(
  Command.withDescription("Show a topic with its counts"),
  Command.withExamples([{ command: "posthorn topics show news" }]),
  withApi
)

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("What recipients read")),
    topicKey: Flag.String("topic-key").pipe(Flag.withDescription("Key; default: made from the name"), optional),
    default: Flag.Literals("default", ["subscribed", "unsubscribed"]).pipe(
      Flag.withDescription("What a contact is that said nothing; it never changes")
    ),
    ...topicOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({
    name,
    topicKey,
    default: defaultSubscription,
    description,
    translations,
    visibility,
    doubleOptIn,
    position
  }) {
    const { call } = yield* Api
    const created = yield* call(({ topics }) =>
      topics.create({
        name,
        key: topicKey,
        defaultSubscription,
        description,
        // The service checks the object.
        translations: translations as UpdateTopic["translations"],
        visibility,
        doubleOptIn,
        position
      })
    )
    yield* Output.one(created, blockOf(created))
  })
).pipe(
  Command.withDescription("Create a topic"),
  Command.withExamples([
    { command: "posthorn topics create News --default unsubscribed --description 'Once a month.'" },
    { command: `posthorn topics create Tips --default subscribed --translations '{"de":{"name":"Tipps"}}'` }
  ]),
  withApi
)

const update = Command.make(
  "update",
  {
    topic: topicArgument,
    name: Flag.String("name").pipe(Flag.withDescription("New name; the key does not change"), optional),
    ...topicOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ topic, name, description, translations, visibility, doubleOptIn, position }) {
    const { call } = yield* Api
    const updated = yield* call(({ topics }) =>
      topics.update(topic, {
        name,
        description,
        translations: translations as UpdateTopic["translations"],
        visibility,
        doubleOptIn,
        position
      })
    )
    yield* Output.one(updated, blockOf(updated))
  })
).pipe(
  Command.withDescription("Change a topic; options that are not given keep their value"),
  Command.withExamples([{ command: "posthorn topics update news --name 'Company news'" }]),
  withApi
)

const archive = Command.make(
  "archive",
  {
    topic: topicArgument,
    undo: Flag.Boolean("undo").pipe(Flag.withoutNegation, Flag.withDescription("Bring it back"), optional),
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ topic, undo }) {
    const { call } = yield* Api
    const updated = yield* call(({ topics }) => topics.update(topic, { archived: undo !== true }))
    yield* Output.one(updated, { rows: [[updated.archived ? "archived" : "in use", updated.key]] })
  })
).pipe(
  Command.withDescription("Take a topic from pages, forms and new mail; what contacts said stays"),
  Command.withExamples([
    { command: "posthorn topics archive news" },
    { command: "posthorn topics archive news --undo" }
  ]),
  withApi
)

const usageBlock = ({ canDelete, ...uses }: TopicUsage): Block => ({
  head: ["used by", "name", "id"],
  rows: [
    ...Object.entries(uses).flatMap(([kind, users]) => users.map(({ id, name }) => [kind, name, id])),
    ...(canDelete ? [["nothing", "", ""]] : [])
  ]
})

const usage = Command.make(
  "usage",
  { topic: topicArgument, ...connectionOptions },
  Effect.fnUntraced(function* ({ topic }) {
    const { call } = yield* Api
    const found = yield* call(({ topics }) => topics.usage(topic))
    yield* Output.one(found, usageBlock(found))
  })
).pipe(
  Command.withDescription("List what uses a topic, which must end before it can be deleted"),
  Command.withExamples([{ command: "posthorn topics usage news" }]),
  withApi
)

const contactsOf = Command.make(
  "contacts",
  {
    topic: topicArgument,
    state: Flag.Literals("state", ["takes", "subscribed", "unsubscribed", "pending"]).pipe(
      Flag.withDescription("Those that get its mail (takes, the default), or what they said"),
      optional
    ),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ topic, state, limit, all }) {
    const { items } = yield* Api
    const found = items(({ topics }) => topics.contacts(topic, { state, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(found), {
      head: ["email", "subscribed", "created", "id"],
      row: ({ email, subscribed, createdAt, id }) => [email, subscribed ? "yes" : "no", createdAt, id],
      none: "No such contacts."
    })
  })
).pipe(
  Command.withDescription("List the contacts of a topic, newest first"),
  Command.withExamples([{ command: "posthorn topics contacts news --state subscribed --limit 50" }]),
  withApi
)

const deleteTopic = Command.make(
  "delete",
  { topic: topicArgument, yes, ...connectionOptions },
  Effect.fnUntraced(function* ({ topic, yes }) {
    const { call } = yield* Api
    const { id, key, name } = yield* call(({ topics }) => topics.get(topic))
    yield* confirm(`Delete the topic ${name} and what contacts said about it?`, yes)
    yield* call(({ topics }) => topics.delete(id))
    yield* Output.one({ id, key, deleted: true }, { rows: [["deleted", key]] })
  })
).pipe(
  Command.withDescription("Delete a topic and what contacts said about it; asks first"),
  Command.withExamples([{ command: "posthorn topics delete news --yes" }]),
  withApi
)

export const topics = Command.make("topics").pipe(
  Command.withDescription("Kinds of mail that contacts take or leave"),
  Command.withExamples([{ command: "posthorn topics create News --default unsubscribed" }]),
  Command.withSubcommands([list, show, create, update, archive, usage, contactsOf, deleteTopic])
)
