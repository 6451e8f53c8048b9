/** The preference page as a recipient sees it, for the members of a project. Pure. */
import type { AudienceSettings } from "@posthorn/contract/audience/settings/AudienceSettings"
import type { Topic } from "@posthorn/contract/audience/topics/Topic"
import type { DateTime } from "effect"
import type { PageContext } from "../../platform/web/PageHtml.ts"
import * as PageHtml from "./PageHtml.ts"
import type { PageState } from "./Pages.ts"

interface Home {
  readonly name: string
  readonly language: string
  readonly timezone: string
}

/** What the page shows to a subscribed contact that said nothing about topics. */
export const stateOfNobody = (
  { name, language, timezone }: Home,
  settings: AudienceSettings,
  topics: ReadonlyArray<
    Pick<Topic, "id" | "key" | "name" | "description" | "translations" | "defaultSubscription" | "visibility">
  >
): PageState => ({
  projectName: name,
  language,
  timezone,
  email: "ada@example.com",
  subscribed: true,
  isPending: false,
  locale: null,
  snoozedUntil: null,
  suppression: null,
  topic: null,
  topics: topics.flatMap(({ id, key, name, description, translations, defaultSubscription, visibility }) =>
    visibility === "public"
      ? [{ id, key, name, description, translations, state: "unset", takes: defaultSubscription === "subscribed" }]
      : []
  ),
  mail: null,
  settings
})

/** The page without its forms, so that a member who looks at it cannot change the contact. */
export const pagePreview = (place: PageContext, state: PageState, now: DateTime.Utc): string =>
  PageHtml.preferences({ place: { ...place, brand: state.settings.pages }, state, now, preferences: null })
    .toString()
    .replaceAll('<form method="post">', "<div>")
    .replaceAll("</form>", "</div>")
