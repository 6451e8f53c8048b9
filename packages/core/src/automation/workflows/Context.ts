/** The variables of an execution. */
import { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { Schema } from "effect"

/** Whether it keeps to the limits of data: 64 KB, depth, keys. */
export const isContext = Schema.is(ContactData)
