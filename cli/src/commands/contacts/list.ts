import { Effect } from "effect"
import { Command, Flag } from "effect/cli"
import { Api, withApi } from "../../api/Api.ts"
import { connectionOptions } from "../../api/Connection.ts"
import { limitOptions, pageLimit, upTo } from "../../options/Limit.ts"
import { optional } from "../../options/Optional.ts"
import { subscribed } from "../../options/Subscribed.ts"
import { contactHead, contactRow } from "../../output/ContactText.ts"
import * as Output from "../../output/Output.ts"

export const list = Command.make(
  "list",
  {
    search: Flag.String("search").pipe(Flag.withDescription("Only addresses with this text in them"), optional),
    subscribed: subscribed("Only subscribed contacts, or with --no-subscribed the others"),
    sort: Flag.Literals("sort", ["createdAt", "email"]).pipe(
      Flag.withDescription("Sort by it; createdAt unless said otherwise"),
      optional
    ),
    dir: Flag.Literals("dir", ["desc", "asc"]).pipe(Flag.withDescription("desc unless said otherwise"), optional),
    ...limitOptions,
    ...connectionOptions
  },
  Effect.fnUntraced(function* ({ url, key, project, dataDir, limit, all, ...query }) {
    const { items } = yield* Api
    const contacts = items(({ contacts }) => contacts.list({ ...query, limit: pageLimit({ limit, all }) }))
    yield* Output.list(upTo({ limit, all })(contacts), {
      head: contactHead,
      row: contactRow,
      none: "No contacts. Add one with `posthorn contacts upsert <email>`, or many with `posthorn contacts import`."
    })
  })
).pipe(
  Command.withDescription("List contacts, newest first"),
  Command.withExamples([
    { command: "posthorn contacts list --search @example.com --no-subscribed" },
    { command: "posthorn contacts list --sort email --dir asc --all --json" }
  ]),
  withApi
)
