/** The variables of an execution. */
import { ContactData } from "@posthorn/contract/audience/contacts/Contact"
import { Schema } from "effect"

/** Whether the value is within the limits of contact data: size, depth and keys. */
export const isContext = Schema.is(ContactData)
