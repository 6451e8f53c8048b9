/**
 * User agents that request images and links of mail without a person: scanners of mail gateways, prefetchers of mail
 * clients, link previews of chats, and HTTP clients that are not browsers. State of 2026-11-20. Apple's Mail Privacy
 * Protection sends only `Mozilla/5.0`, which no browser does.
 *
 * The image proxies of Gmail (`GoogleImageProxy`) and Yahoo (`YahooMailProxy`) are not listed, because they request an image
 * when a person opens the mail.
 */

/** Whole user agents, in lower case. */
const exact: ReadonlySet<string> = new Set([
  "mozilla/5.0",
  "mozilla/5.0 (windows nt 10.0; win64; x64) applewebkit/537.36 (khtml, like gecko) chrome/42.0.2311.135 safari/537.36 edge/12.246 mozilla/5.0"
])

/** Found anywhere in the user agent, in lower case. */
const gateways = [
  "barracuda",
  "bitdefender",
  "ciscosecureemail",
  "cloudmark",
  "fireeye",
  "forcepoint",
  "fortimail",
  "ironport",
  "mimecast",
  "microsoft office existence discovery",
  "microsoft office protocol discovery",
  "proofpoint",
  "safelinks",
  "sophos",
  "symantec",
  "trendmicro",
  "trend micro",
  "urldefense",
  "virustotal",
  "zscaler"
]

const previews = [
  "bingpreview",
  "bitlybot",
  "discordbot",
  "embedly",
  "facebookexternalhit",
  "facebot",
  "googlemessages/",
  "linkedinbot",
  "mattermost",
  "microsoftpreview",
  "skypeuripreview",
  "slackbot",
  "slack-imgproxy",
  "telegrambot",
  "twitterbot",
  "whatsapp/"
]

/** At the start of the user agent: `java` within another name means nothing. */
const programs =
  /^(?:aiohttp|apache-httpclient|axios|curl|dart|deno|faraday|go-http-client|got|guzzlehttp|http_request|httpie|java|libwww-perl|lua-resty-http|node|node-fetch|okhttp|php|postmanruntime|python|python-requests|python-urllib|reqwest|rest-client|ruby|scrapy|undici|wget|winhttp)(?:[/ -]|$)/

/** Whole words: `cubot` is a phone. */
const words =
  /(?:^|[^a-z])(?:bot|crawler|spider|scanner|headlesschrome|phantomjs|prefetch|preview)(?:[^a-z]|$)|[a-z]bot\//

/** Whether this user agent belongs to a program that acts without a person. An empty one does. */
export const isMachineAgent = (userAgent: string | undefined): boolean => {
  const agent = (userAgent ?? "").trim().toLowerCase()
  return (
    agent === "" ||
    exact.has(agent) ||
    programs.test(agent) ||
    words.test(agent) ||
    gateways.some((name) => agent.includes(name)) ||
    previews.some((name) => agent.includes(name))
  )
}
