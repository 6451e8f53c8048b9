/** For each rule of consent, a short course of commands in which a service that does not follow it is seen to differ. */
import {
  answer,
  ask,
  type Command,
  choose,
  click,
  offer,
  save,
  send,
  signUp,
  snooze,
  subscribe,
  suppress,
  work
} from "./Commands.ts"
import type { Rule } from "./Expected.ts"

const name = "ada"
const off = subscribe({ name, subscribed: false })
const asked = signUp({ name, topics: [], by: "PATCH" })
const confirmed = answer({ which: 0, by: "confirm" })
const declined = answer({ which: 0, by: "decline" })
const plain = offer({ name, topic: undefined })

/** Three people are subscribed before each. */
export const courses: { readonly [rule in Rule]: ReadonlyArray<Command> } = {
  "global off wins": [off, plain],
  "a topic is asked": [choose({ name, topic: "news", state: "unsubscribed" }), offer({ name, topic: "news" })],
  "a topic has a default": [offer({ name, topic: "tips" })],
  "a snooze holds mail back": [snooze({ name, hours: 30 }), plain],
  "a suppressed address gets nothing": [suppress({ name }), send({ names: [name], key: 0 }), work()],
  "pending is off": [off, asked, work()],
  "a confirmation subscribes": [off, asked, confirmed, work()],
  "a confirmation is narrow": [off, signUp({ name, topics: ["tips"], by: "PATCH" }), confirmed, work()],
  "an opt-in expires": [off, asked, answer({ which: 0, by: "late" }), work()],
  "a no ends the opt-in": [off, asked, off, work()],
  "a topic that was left is not confirmed": [
    ask({ name, subscribe: false, topics: ["tips"] }),
    choose({ name, topic: "tips", state: "unsubscribed" }),
    work()
  ],
  "who declines is not asked again": [off, asked, declined, work()],
  "a contact of a declined request goes": [signUp({ name: "dan", topics: [], by: "POST" }), declined, work()],
  "one mail a minute": [off, asked, asked],
  "a tick subscribes": [off, save({ name, topic: "news", ticked: true }), work()],
  "a page is narrow": [off, save({ name, topic: "tips", ticked: true }), work()],
  "one click leaves its topic alone": [click({ name, topic: "news" }), work()]
}
