/** The variables of an execution (contract-2 2.7). */
import { ContactData } from "@posthorn/contract/contacts/Contact"
import { Schema } from "effect"

/** Whether it keeps to the limits of data: 64 KB, depth, keys. */
export const isContext = Schema.is(ContactData)
