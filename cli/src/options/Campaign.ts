/** The content and audience options of a campaign. */
import type { FilterTree } from "@posthorn/client"
import { Flag } from "effect/cli"
import { filterTree } from "./FilterTree.ts"
import { optional } from "./Optional.ts"
import { text } from "./StandardInput.ts"

const id = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("<id>"), Flag.withDescription(description), optional)

const address = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar("<address>"), Flag.withDescription(description), optional)

export const campaignOptions = {
  name: Flag.String("name").pipe(Flag.withDescription("Internal name")),
  description: Flag.String("description").pipe(Flag.withDescription("Internal note"), optional),
  subject: text("subject").pipe(
    Flag.withDescription("Subject, with {{variables}}; needed without a template"),
    optional
  ),
  body: text("body").pipe(Flag.withDescription("HTML with {{variables}}; needed without a template"), optional),
  from: address("from", "Sender, at a verified domain; needed without a template"),
  fromName: Flag.String("from-name").pipe(Flag.withDescription("Name of the sender"), optional),
  replyTo: address("reply-to", "Address for replies"),
  type: Flag.Literals("type", ["TRANSACTIONAL", "MARKETING", "HEADLESS"]).pipe(
    Flag.withDescription("Determines the allowed recipients and the footer; default MARKETING"),
    optional
  ),
  templateId: id("template-id", "Template that supplies what is not given here"),
  segmentId: id("segment-id", "Only the contacts in this segment"),
  audienceCondition: filterTree("audience-condition").pipe(
    Flag.withDescription("Only contacts that match this filter tree"),
    optional
  )
}

interface Targets {
  readonly segmentId: string | undefined
  readonly audienceCondition: FilterTree | undefined
}

/** All contacts, unless a segment or a condition is given. */
export const audienceTypeOf = ({ segmentId, audienceCondition }: Targets): "ALL" | "SEGMENT" | "FILTERED" => {
  if (segmentId !== undefined) return "SEGMENT"
  return audienceCondition === undefined ? "ALL" : "FILTERED"
}
