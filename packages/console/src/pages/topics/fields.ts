/** The fields of a topic, as a person writes them. */
import type { Topic } from "@posthorn/client/session"

export interface TopicFields {
  readonly name: string
  readonly description: string
  readonly visibility: Topic["visibility"]
  readonly doubleOptIn: boolean | null
  readonly position: string
  readonly translations: ReadonlyArray<{
    readonly language: string
    readonly name: string
    readonly description: string
  }>
}

export const emptyTopic: TopicFields = {
  name: "",
  description: "",
  visibility: "public",
  doubleOptIn: null,
  position: "",
  translations: []
}

export const fieldsOf = ({
  name,
  description,
  visibility,
  doubleOptIn,
  position,
  translations
}: Topic): TopicFields => ({
  name,
  description: description ?? "",
  visibility,
  doubleOptIn,
  position: String(position),
  translations: Object.entries(translations).map(([language, text]) => ({
    language,
    name: text.name,
    description: text.description ?? ""
  }))
})

export const bodyOf = ({ name, description, visibility, doubleOptIn, position, translations }: TopicFields) => ({
  name: name.trim(),
  description: description.trim() || null,
  visibility,
  doubleOptIn,
  ...(position !== "" && { position: Number(position) }),
  translations: Object.fromEntries(
    translations.map((each) => [
      each.language,
      { name: each.name.trim(), description: each.description.trim() || null }
    ])
  )
})

/** As the API names them in its faults. */
export const topicNames: ReadonlyArray<string> = ["key", "name", "description", "position", "defaultSubscription"]
