/** The HTML of the public pages on which recipients see and change what they receive. Pure. */
import { DateTime, Option } from "effect"
import type { Purpose } from "../../platform/links/PublicLinks.ts"
import { type Html, html } from "../../platform/web/Html.ts"
import { type Language, languageOf, languages } from "../../platform/web/Languages.ts"
import { confirm, masked, type PageContext, page } from "../../platform/web/PageHtml.ts"
import { type PageWords, pageWords } from "../../platform/web/PageWords.ts"
import { dataButtons } from "../privacy/PrivacyPageHtml.ts"
import { privacyWords } from "../privacy/PrivacyWords.ts"
import { wordsIn } from "../topics/TopicOfMail.ts"
import type { PageTopic } from "./PageStore.ts"
import type { PageState } from "./Pages.ts"
import { type PageFault, snoozeDays, snoozeRange } from "./PageWish.ts"
import { type PreferenceWords, preferenceWords } from "./PreferenceWords.ts"

/** The form of a page, and what it leads to. */
export interface Shown {
  readonly place: PageContext
  readonly state: PageState
  readonly now: DateTime.Utc
  /** The page of preferences. Null on that page itself. */
  readonly preferences: string | null
}

const blocked = ({ isBlocked, isBlockedBySender }: PageWords, { suppression }: PageState): Html | false =>
  suppression !== null &&
  html`<p class="notice notice-warn">${suppression === "MANUAL" ? isBlockedBySender : isBlocked}</p>`

const projectOf = ({ projectName, settings }: PageState): string => settings.pages.name ?? projectName

const nameIn = (topic: PageTopic, { language }: PageContext): string => wordsIn(topic, language).name

const address = ({ email }: PageState) => html`<p class="address"><bdi>${masked(email)}</bdi></p>`

const choice = (words: PageWords, { subscribed }: PageState) => {
  const button = (value: boolean, text: string) =>
    html`<button type="submit" name="subscribed" value="${String(value)}"${
      value === subscribed && html` class="second"`
    }>${text}</button>`
  return html`<form method="post">
${button(true, words.subscribe.button)}
${button(false, words.unsubscribe.button)}
</form>`
}

const pageOf = ({ place, state }: Shown, title: string, content: Html): Html =>
  page(place, { title, project: state.projectName, content })

const toPreferences = ({ preferences, place }: Shown): Html | false =>
  preferences !== null &&
  html`<p class="back"><a href="${preferences}">${pageWords[place.language].manage.title}</a></p>`

const topicButtons = ({ leave, leaveAll }: PreferenceWords, name: string): Html => html`<form method="post">
<input type="hidden" name="confirm" value="1">
<button type="submit">${leave(name)}</button>
<button type="submit" name="scope" value="all" class="second">${leaveAll}</button>
</form>`

/** The question of a link that names a topic. */
const topicQuestion = (shown: Shown, purpose: "subscribe" | "unsubscribe", topic: PageTopic): Html => {
  const { place, state } = shown
  const words = pageWords[place.language]
  const own = preferenceWords[place.language]
  const name = nameIn(topic, place)
  const { title } = words[purpose]
  return pageOf(
    shown,
    title,
    html`<h1>${title}</h1>
${address(state)}
<p>${topic.takes ? own.isSubscribed(name) : own.isNotSubscribed(name)}</p>
${waiting(topic.state === "pending", own)}
${purpose === "subscribe" && blocked(words, state)}
${purpose === "subscribe" ? confirm(own.join(name)) : topicButtons(own, name)}
${toPreferences(shown)}`
  )
}

const stateOf = (words: PageWords, state: PageState) =>
  state.subscribed ? words.isSubscribed(projectOf(state)) : words.isNotSubscribed(projectOf(state))

/** The page that shows the current state and the possible changes. */
export const question = (shown: Shown, purpose: "subscribe" | "unsubscribe"): Html => {
  const { place, state } = shown
  if (state.topic !== null) return topicQuestion(shown, purpose, state.topic)
  const words = pageWords[place.language]
  const { title, question } = words[purpose]
  return pageOf(
    shown,
    title,
    html`<h1>${title}</h1>
${address(state)}
<p>${stateOf(words, state)}</p>
${purpose === "subscribe" && blocked(words, state)}
<p>${question}</p>
${confirm(words[purpose].button)}
${state.topics.length > 0 && toPreferences(shown)}`
  )
}

/** The page after a change: what was done, the current state, and a way to undo it. */
export const result = (
  shown: Shown,
  purpose: "subscribe" | "unsubscribe",
  { undo, ofTopic }: { readonly undo: string; readonly ofTopic: boolean }
): Html => {
  const { place, state } = shown
  const words = pageWords[place.language]
  const own = preferenceWords[place.language]
  const name = ofTopic && state.topic !== null ? nameIn(state.topic, place) : undefined
  const done = name === undefined ? words[purpose].done : purpose === "subscribe" ? own.joined(name) : own.left(name)
  const now =
    name === undefined ? stateOf(words, state) : state.topic?.takes ? own.isSubscribed(name) : own.isNotSubscribed(name)
  const back = purpose === "subscribe" ? words.unsubscribe : words.subscribe
  return pageOf(
    shown,
    done,
    html`<div class="done" role="status"><h1>${done}</h1></div>
${address(state)}
<p>${now}</p>
${purpose === "subscribe" && blocked(words, state)}
<p class="back"><a href="${undo}">${back.undo}</a></p>
${(state.topic !== null || state.topics.length > 0) && toPreferences(shown)}`
  )
}

const waiting = (isPending: boolean, { waits }: PreferenceWords): Html | false => isPending && html`<p>${waits}</p>`

const topicBoxes = ({ place, state }: Shown, words: PreferenceWords): Html | false =>
  state.topics.length > 0 &&
  html`<fieldset><legend>${words.topics}</legend>${state.topics.map((topic) => {
    const { name, description } = wordsIn(topic, place.language)
    return html`
<label class="tick"><input type="checkbox" name="topic" value="${topic.key}"${
      topic.takes && html` checked`
    }><span><strong>${name}</strong>${
      description !== null && html`<small>${description}</small>`
    }${topic.state === "pending" && html`<small>${words.waits}</small>`}</span></label><input type="hidden" name="shown" value="${topic.key}">`
  })}
</fieldset>`

const dayOf = (until: DateTime.Utc, { timezone }: PageState, { language }: PageContext): string => {
  const zone = Option.getOrElse(DateTime.zoneFromString(timezone), () => DateTime.zoneMakeOffset(0))
  return DateTime.format(DateTime.setZone(until, zone), { locale: language, dateStyle: "long" })
}

const pauses = (shown: Shown, words: PreferenceWords, fault: PageFault | undefined): Html | false => {
  const { place, state, now } = shown
  if (!state.settings.pages.snooze) return false
  const { first, last } = snoozeRange(state, now)
  const radio = (value: string, text: string, isChecked = false) => html`
<label class="tick"><input type="radio" name="snooze" value="${value}"${
    isChecked && html` checked`
  }><span>${text}</span></label>`
  const isUntil = fault === "until"
  const message = isUntil ? words.badDate : words.badPause
  const isFaulty = isUntil || fault === "snooze"
  return html`<fieldset class="apart"${isFaulty && html` aria-describedby="snooze-fault"`}><legend>${words.pause}</legend>${radio(
    "",
    state.snoozedUntil === null ? words.noPause : words.paused(dayOf(state.snoozedUntil, state, place)),
    !isUntil
  )}${snoozeDays.map((days) => radio(String(days), words.forDays(String(days))))}${radio(
    "until",
    words.untilDate,
    isUntil
  )}
<div class="until"><label for="until">${words.date}</label><input type="date" id="until" name="until" min="${first}" max="${last}"${
    isUntil && html` aria-invalid="true" aria-describedby="snooze-fault"`
  }></div>${state.snoozedUntil !== null && radio("off", words.endPause)}${
    isFaulty && html`<p class="fault" id="snooze-fault">${message}</p>`
  }
</fieldset>`
}

const languageField = ({ state }: Shown, words: PreferenceWords, fault: PageFault | undefined): Html | false => {
  if (!state.settings.pages.language) return false
  const present = languageOf(state.locale, state.language)
  const isFaulty = fault === "locale"
  return html`<div class="field apart"><label for="locale">${words.language}</label><select id="locale" name="locale"${
    isFaulty && html` aria-invalid="true" aria-describedby="locale-fault"`
  }>${languages.map(
    (language) => html`
<option value="${language}" lang="${language}"${language === present && html` selected`}>${
      pageWords[language].name
    }</option>`
  )}
</select>${isFaulty && html`<p class="fault" id="locale-fault">${words.badLanguage}</p>`}</div>`
}

export interface PreferenceOptions {
  /** Set after a change: what was done. */
  readonly done?: "asked" | "saved" | "subscribed" | "unsubscribed" | undefined
  readonly fault?: PageFault | undefined
}

/** The page of all preferences. */
export const preferences = (shown: Shown, { done, fault }: PreferenceOptions = {}): Html => {
  const { place, state } = shown
  const words = pageWords[place.language]
  const own = preferenceWords[place.language]
  const { asked } = privacyWords[place.language]
  const doneText = {
    asked: asked.title,
    saved: own.saved,
    subscribed: words.subscribe.done,
    unsubscribed: words.unsubscribe.done
  }
  const title = done === undefined ? words.manage.title : doneText[done]
  const hasTopics = state.topics.length > 0
  const fields = [topicBoxes(shown, own), pauses(shown, own, fault), languageField(shown, own, fault)]
  const hasFields = fields.some((field) => field !== false)
  return pageOf(
    shown,
    title,
    html`${done === undefined ? html`<h1>${title}</h1>` : html`<div class="done" role="status"><h1>${title}</h1></div>`}
${done === "asked" && html`<p>${asked.text(masked(state.email))}</p>`}
${fault !== undefined && html`<p class="notice notice-warn" role="alert">${own.notSaved}</p>`}
${address(state)}
<p>${stateOf(words, state)}</p>
${waiting(state.isPending, own)}
${blocked(words, state)}
${!hasTopics && done === undefined && html`<p>${words.manage.question}</p>`}
${!hasTopics && choice(words, state)}
${
  hasFields &&
  html`<form method="post">
${fields}
<button type="submit" name="action" value="save">${own.save}</button>
${hasTopics && state.subscribed && html`<button type="submit" name="action" value="unsubscribe" class="second">${own.leaveAll}</button>`}
</form>`
}
${dataButtons(place, state.settings)}`
  )
}

/** The longest text of a record of consent. */
const maxWording = 4_000

/** What the page says about the change, as text. */
export const wording = (purpose: Purpose, state: PageState, language: Language): string => {
  const [words, own] = [pageWords[language], preferenceWords[language]]
  const project = projectOf(state)
  const lines = (() => {
    if (purpose === "manage") {
      const topics = state.topics.map((topic) => {
        const { name, description } = wordsIn(topic, language)
        return description === null ? name : `${name}: ${description}`
      })
      return [
        project,
        words.manage.title,
        ...(topics.length > 0 ? [own.topics, ...topics, own.leaveAll, own.save] : [])
      ]
    }
    const { title, question, button } = words[purpose]
    if (state.topic === null) return [project, title, question, button]
    const { name } = wordsIn(state.topic, language)
    return [project, title, ...(purpose === "subscribe" ? [own.join(name)] : [own.leave(name), own.leaveAll])]
  })()
  return lines.join("\n").slice(0, maxWording).toWellFormed()
}

/** The page of a link, before anything is done. */
export const first = (shown: Shown, purpose: Purpose): Html =>
  purpose === "manage" ? preferences(shown) : question(shown, purpose)
