/** The versions of templates and partials, for people. */
import type { TemplateVersion } from "@posthorn/client"
import { Argument, Flag } from "effect/cli"
import type { Cell } from "./Table.ts"

export const versionArgument = Argument.Int("version").pipe(Argument.withDescription("Number of the version"))

/** Publishes a draft over changes that were made since it was stored. */
export const force = Flag.Boolean("force").pipe(
  Flag.withoutNegation,
  Flag.withDefault(false),
  Flag.withDescription("Publish even if another version went live since the draft was stored")
)

export const versionList = {
  head: ["created", "version", "by", "restored from"],
  row: ({ createdAt, version, live, actor, restoredFrom }: TemplateVersion): ReadonlyArray<Cell> => [
    createdAt,
    live ? `${version} (live)` : version,
    actor.userId ?? actor.type,
    restoredFrom ?? ""
  ],
  none: "No versions."
}

interface Versioned {
  readonly version: number
  readonly draft: { readonly basedOn: number; readonly updatedAt: string } | null
}

export const versionRows = ({ version, draft }: Versioned): ReadonlyArray<ReadonlyArray<Cell>> => [
  ["version", version],
  ...(draft === null ? [] : [["draft", `of ${draft.updatedAt}, based on version ${draft.basedOn}`]])
]
