/** A domain for people: its state and the DNS records to publish. */
import type { Domain } from "@posthorn/client"
import type { Block } from "./Table.ts"

const standing = ({ domain, status, trusted, verifiedElsewhere, lastCheckedAt, lastError, id }: Domain): Block => ({
  rows: [
    ["domain", domain],
    ["status", status],
    ...(trusted ? [["trusted", "by the operator, whatever DNS says"]] : []),
    ...(verifiedElsewhere ? [["note", "DNS is right, but another project holds the domain"]] : []),
    ["last checked", lastCheckedAt ?? "not yet"],
    ...(lastError === null ? [] : [["last error", lastError]]),
    ["id", id]
  ]
})

/** Values are in the last column and never cut, so that they can be copied. */
const records = ({ records }: Domain): Block => ({
  head: ["type", "name", "status", "needed", "value"],
  rows: records.map(({ type, name, status, required, value }) => [type, name, status, required ? "yes" : "no", value])
})

/** What DNS has instead of the expected values. */
const found = ({ records }: Domain): Block => ({
  head: ["found instead at", "value"],
  rows: records
    .filter(({ status }) => status === "MISMATCH")
    .flatMap(({ name, found }) => found.map((value) => [name, value]))
})

export const domainBlocks = (domain: Domain): ReadonlyArray<Block> => [standing(domain), records(domain), found(domain)]
