/**
 * Which contact the names of a request mean. Pure, over the contacts that were found.
 *
 * A roster follows the names of one request in their order, as if each were a request of its own: it knows the contacts
 * that earlier names created, and the addresses and ids that they gave away.
 */
import { type ContactId, EmailAlreadyExists } from "@posthorn/contract/audience/contacts/Contact"
import { Conflict } from "@posthorn/contract/platform/Errors"
import { Data, Result } from "effect"

/** The names by which callers find a contact. */
export interface ContactNames {
  readonly email?: string | undefined
  readonly externalId?: string | undefined
}

/** The contact to write has no address, and no contact has its external id. */
export class AddressMissing extends Data.TaggedError("AddressMissing") {}

export type IdentityRefusal = AddressMissing | Conflict | EmailAlreadyExists

/** A contact by its names. */
export interface NamedContact {
  readonly id: ContactId
  readonly email: string
  readonly externalId: string | null
  /** Further ids that find it. */
  readonly aliases: ReadonlyArray<string>
}

/** A contact that the names of a request mean, as the request leaves it. */
export interface NamedPerson {
  /** Undefined if the request creates it. */
  readonly id: ContactId | undefined
  readonly email: string
  /** The address that it has before the request. */
  readonly storedEmail: string | undefined
  readonly externalId: string | null
  /** Whether the request gives it its external id. */
  readonly isIdNew: boolean
}

/** An address that a contact gets. */
export interface Move {
  readonly id: ContactId
  readonly email: string
}

export interface Roster {
  /** Contacts that have one of the names. Those that it knows stay as they are. */
  readonly add: (found: ReadonlyArray<NamedContact>) => void
  /** The address of the result is the one after the last name of the request. */
  readonly find: (names: ContactNames) => Result.Result<NamedPerson, IdentityRefusal>
  /** The contact that has the id, or has it as a further one. */
  readonly ofId: (id: string) => NamedPerson | undefined
  readonly ofEmail: (email: string) => NamedPerson | undefined
  /** Lets the id find the contact too. False if it finds another one. */
  readonly tie: (id: string, person: NamedPerson) => boolean
  /** The changes of address so far, in their order. */
  readonly moves: ReadonlyArray<Move>
}

export const roster = (): Roster => {
  type Known = { -readonly [Field in keyof NamedPerson]: NamedPerson[Field] }
  const known = new Set<ContactId>()
  const byEmail = new Map<string, Known>()
  const byId = new Map<string, NamedPerson>()
  const moves: Array<Move> = []

  const move = (person: Known, email: string) => {
    if (byEmail.get(person.email) === person) byEmail.delete(person.email)
    byEmail.set(email, person)
    person.email = email
    if (person.id !== undefined) moves.push({ id: person.id, email })
  }

  const identify = (person: Known, externalId: string) => {
    person.externalId = externalId
    person.isIdNew = true
    byId.set(externalId, person)
    return Result.succeed(person)
  }

  const ofId = (person: NamedPerson, email: string | undefined): Result.Result<NamedPerson, IdentityRefusal> => {
    if (email === undefined || email === person.email) return Result.succeed(person)
    const other = byEmail.get(email)
    if (other !== undefined) {
      return Result.fail(new EmailAlreadyExists({ email, ...(other.id !== undefined && { contactId: other.id }) }))
    }
    move(person as Known, email)
    return Result.succeed(person)
  }

  return {
    moves,
    ofId: (id) => byId.get(id),
    ofEmail: (email) => byEmail.get(email),
    tie: (id, person) => {
      const owner = byId.get(id)
      if (owner === undefined) byId.set(id, person)
      return owner === undefined || owner === person
    },
    add: (found) => {
      for (const { id, email, externalId, aliases } of found) {
        if (known.has(id)) continue
        known.add(id)
        const person = { id, email, storedEmail: email, externalId, isIdNew: false }
        if (!byEmail.has(email)) byEmail.set(email, person)
        for (const name of externalId === null ? aliases : [externalId, ...aliases]) {
          // The contact that has the id wins over one that has it as an alias.
          if (!byId.has(name) || name === externalId) byId.set(name, person)
        }
      }
    },
    find: ({ email, externalId }) => {
      const owner = externalId === undefined ? undefined : byId.get(externalId)
      if (owner !== undefined) return ofId(owner, email)
      if (email === undefined) return Result.fail(new AddressMissing())
      const person = byEmail.get(email)
      if (person === undefined) {
        const created = { id: undefined, email, storedEmail: undefined, externalId: null, isIdNew: false }
        byEmail.set(email, created)
        return externalId === undefined ? Result.succeed(created) : identify(created, externalId)
      }
      if (externalId === undefined) return Result.succeed(person)
      if (person.externalId !== null) {
        return Result.fail(
          new Conflict({ reason: "external_id_taken", ...(person.id !== undefined && { contactId: person.id }) })
        )
      }
      return identify(person, externalId)
    }
  }
}
