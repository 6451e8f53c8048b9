import { globSync, readFileSync } from "node:fs"
import { resolve } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { patternsOf, risksOf } from "./PatternRisks.ts"

const root = resolve(import.meta.dirname, "../../../..")

const anchored = "anchored, and each character matches in one place only"
const configured = "the operator's or application's own setting"

/** Patterns of a risky shape that are safe, by file, with the reason. */
const safe: { readonly [file: string]: string } = {
  "adapters/embedded/src/Layers.ts": configured,
  "adapters/embedded/src/FetchHandler.ts": configured,
  "adapters/node/src/config/Addresses.ts": configured,
  "adapters/node/src/doctor/SubmissionChecks.ts": "the first line of a server on this machine",
  "packages/platform-node/src/mailbox/MailPreview.ts": "the first 4,096 characters of a mail, in dev mode",
  "packages/client/src/Requests.ts": configured,
  "packages/contract/src/platform/Mailbox.ts": "the words of a name, each of which ends at a blank",
  "packages/contract/src/events/EventName.ts": anchored,
  "packages/contract/src/service/published/Schemas.ts": "names of our own schemas",
  "packages/contract/src/mail/sending/Attachments.ts": anchored,
  "packages/core/src/automation/campaigns/ScheduleTime.ts": "at most 100 characters",
  "packages/core/src/platform/http/JsonBody.ts": anchored,
  "packages/core/src/content/rendering/Skeleton.ts": anchored,
  "packages/core/src/content/rendering/StandaloneTags.ts":
    "each run of blanks is read once; tested by HostileText.test.ts",
  "packages/core/src/content/rendering/TemplateExpression.ts": anchored,
  "packages/core/src/content/links/SourceLinks.ts": "a bounded part of the text, behind one link",
  "packages/core/src/content/text/SubmittedMail.ts": anchored,
  "packages/core/src/mail/domains/DomainView.ts": configured,
  "packages/mailer-smtp/src/HeaderField.ts": anchored,
  "packages/mailer-smtp/src/MessageFaults.ts": anchored,
  "packages/mailer-smtp/src/SmtpUrl.ts": configured
}

const unshipped = /\.test\.ts$|\/testing\/|(?:Suite|Testing|Arbitraries|Fixture)\.ts$|\.d\.ts$|\.generated\.ts$/

const shipped = globSync("{packages/{core,contract,mailer-smtp,pglite,client,platform-node},adapters/*}/src/**/*.ts", {
  cwd: root
}).filter((file) => !unshipped.test(file))

describe("regular expressions in what ships", () => {
  it("have no shape that takes quadratic time on untrusted text", () => {
    const found = shipped.flatMap((file) =>
      patternsOf(readFileSync(resolve(root, file), "utf8")).flatMap(({ line, pattern }) =>
        file in safe ? [] : risksOf(pattern).map((risk) => `${file}:${line} /${pattern}/: ${risk}`)
      )
    )
    assert.deepStrictEqual(found, [])
  })

  it("are all found", () => {
    const seen = shipped.flatMap((file) => patternsOf(readFileSync(resolve(root, file), "utf8")))
    assert.isAbove(seen.length, 250)
    assert.deepStrictEqual(
      patternsOf('const a = /x[/"]y/g.test(b / c / d)\nreturn /z/\nnew RegExp("^a+\\\\.b$")').map(
        ({ pattern }) => pattern
      ),
      ['x[/"]y', "z", "^a+\\.b$"]
    )
  })

  it.each([
    "<!--.*<script",
    "\\([^)]*\\)",
    "\\s*\\([^)]*\\)\\s*$",
    "^[ \\t]+|[ \\t]+$",
    "\\/+$",
    "^(.*?)\\s*<([^<>]+)>$",
    "^([^?]+?)\\/+(?=$|\\?)",
    "(?:a+)+$",
    "(a|b*)*c",
    "\\s+\\s*x"
  ])("are refused as /%s/", (pattern) => {
    assert.isNotEmpty(risksOf(pattern))
  })

  it.each(["^[a-z]+$", "\\s+", "^\\.+", "[&<>]", "^[^@]+@[^@]+$", "\\r?\\n", "a{1,3}b"])(
    "are taken as /%s/",
    (pattern) => {
      assert.isEmpty(risksOf(pattern))
    }
  )
})
