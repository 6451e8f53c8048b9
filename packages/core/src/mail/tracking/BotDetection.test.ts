import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { isMachineRequest, verdictOf } from "./BotDetection.ts"

const sentAt = DateTime.makeUnsafe("2026-11-20T15:00:00.000Z")
const later = (millis: number) => DateTime.add(sentAt, { milliseconds: millis })
const chrome =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"

/** On a request a minute after the hand-over. */
const verdictOn = (request: Parameters<typeof isMachineRequest>[0]) =>
  verdictOf({ isMachine: isMachineRequest(request), at: later(60_000) }, sentAt)

describe("the verdict", () => {
  it.each([
    chrome,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)",
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
    "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
    "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.4.0",
    "Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)",
    "Mozilla/5.0 (Linux; Android 13; CUBOT P80) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36"
  ])("on %s is human", (userAgent) => {
    assert.strictEqual(verdictOn({ userAgent }), "human")
  })

  it.each([
    "",
    "  ",
    undefined,
    "Mozilla/5.0",
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0",
    "Barracuda Sentinel (EE)",
    "Microsoft Office Existence Discovery",
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
    "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
    "WhatsApp/2.23.20.0",
    "GoogleMessages/20",
    "python-requests/2.32.3",
    "Python/3.11 aiohttp/3.9.1",
    "Go-http-client/2.0",
    "curl/8.10.1",
    "node",
    "Java/17.0.1",
    "okhttp/4.12.0",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/131.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/100.0 Safari/537.36 BingPreview/1.0b"
  ])("on %j is machine", (userAgent) => {
    assert.strictEqual(verdictOn({ userAgent }), "machine")
  })

  it("a HEAD is a machine's", () => {
    assert.strictEqual(verdictOn({ method: "HEAD", userAgent: chrome }), "machine")
    assert.strictEqual(verdictOn({ method: "GET", userAgent: chrome }), "human")
  })

  it.each([
    [-500, "machine"],
    [0, "machine"],
    [1_999, "machine"],
    [2_000, "human"]
  ] as const)("%s ms after the hand-over is %s", (millis, expected) => {
    assert.strictEqual(verdictOf({ isMachine: false, at: later(millis) }, sentAt), expected)
  })

  it("before the hand-over is on record it is a machine", () => {
    assert.strictEqual(verdictOf({ isMachine: false, at: later(60_000) }, null), "machine")
  })
})
