import { Command } from "effect/cli"
import { remove } from "./contacts/delete.ts"
import { exportContacts } from "./contacts/export.ts"
import { get } from "./contacts/get.ts"
import { importContacts } from "./contacts/import.ts"
import { list } from "./contacts/list.ts"
import { lookup } from "./contacts/lookup.ts"
import { upsert } from "./contacts/upsert.ts"

export const contacts = Command.make("contacts").pipe(
  Command.withDescription("The audience: one contact for each address, with its custom data"),
  Command.withExamples([
    { command: "posthorn contacts import people.csv" },
    { command: "posthorn contacts list --search @example.com" }
  ]),
  Command.withSubcommands([list, get, upsert, remove, importContacts, exportContacts, lookup])
)
