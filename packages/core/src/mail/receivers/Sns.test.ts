import { execFileSync } from "node:child_process"
import { createSign, randomUUID } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, layer, test } from "@effect/vitest"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { parse } from "../../testing/Certificates.ts"
import { databases } from "../../testing/Databases.ts"
import { Outside } from "../../testing/SafeFetchMemory.ts"
import { send } from "../../testing/TestClient.ts"
import { mailTo, read, tally, topic, wireWith } from "./ReceiversFixture.ts"
import { certificateUrl, stringToSign, subscribeUrl } from "./SnsMessage.ts"

/** A key, and a certificate of it that an authority of its own signed; valid for ten years. */
const makeAuthority = () => {
  const folder = mkdtempSync(join(tmpdir(), "posthorn-sns-"))
  const openssl = (...args: ReadonlyArray<string>) => execFileSync("openssl", args, { cwd: folder, stdio: "ignore" })
  openssl(
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "3650",
    "-subj",
    "/CN=Test CA"
  )
  openssl(
    "req",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-keyout",
    "sns.key",
    "-out",
    "sns.csr",
    "-subj",
    "/CN=sns.amazonaws.com"
  )
  openssl(
    "x509",
    "-req",
    "-in",
    "sns.csr",
    "-CA",
    "ca.pem",
    "-CAkey",
    "ca.key",
    "-CAcreateserial",
    "-days",
    "3650",
    "-out",
    "sns.pem"
  )
  const text = (name: string) => readFileSync(join(folder, name), "utf8")
  afterAll(() => rmSync(folder, { recursive: true }))
  return { key: text("sns.key"), pem: text("sns.pem"), otherKey: text("ca.key") }
}
const { key, pem, otherKey } = makeAuthority()

const certificate = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem"
const subscription = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t"

interface Message {
  readonly [name: string]: string
}

const sign = (message: Message, by = key): Message => {
  const hash = message["SignatureVersion"] === "1" ? "RSA-SHA1" : "RSA-SHA256"
  const signature = createSign(hash)
    .update(stringToSign(message as never))
    .sign(by, "base64")
  return { ...message, Signature: signature }
}

const base = Effect.map(DateTime.now, (now) => ({
  MessageId: randomUUID(),
  TopicArn: topic,
  Timestamp: DateTime.formatIso(now),
  SignatureVersion: "2",
  SigningCertURL: certificate
}))

const notification = Effect.fnUntraced(function* (inner: unknown, more: Message = {}) {
  return { ...(yield* base), Type: "Notification", Message: JSON.stringify(inner), ...more }
})

const confirmation = Effect.fnUntraced(function* (more: Message = {}) {
  const message = "You have chosen to subscribe to the topic."
  return {
    ...(yield* base),
    Type: "SubscriptionConfirmation",
    Message: message,
    Token: "t",
    SubscribeURL: subscription,
    ...more
  }
})

/** SNS calls its JSON plain text. */
const post = (message: Message) =>
  send("POST", "/webhooks/notifications", message, {
    authorization: "",
    "content-type": "text/plain; charset=UTF-8",
    "x-amz-sns-message-type": message["Type"] ?? ""
  })

const status = (message: Message) => Effect.map(post(message), (response) => response.status)

const ses = (id: string, more: object) => ({
  mail: {
    timestamp: "2026-11-20T14:59:00.000Z",
    messageId: `0102-${id}`,
    destination: ["sns@example.com"],
    headers: [{ name: "X-Posthorn-Email-Id", value: id }]
  },
  ...more
})
const at = "2026-11-20T15:00:00.000Z"
const recipient = { emailAddress: "sns@example.com" }

test("the key of a certificate is read, and invalid certificates are refused", () => {
  const found = parse(pem)
  assert.isDefined(found)
  assert.isTrue(DateTime.isLessThan(found?.notBefore ?? assert.fail(), found?.notAfter ?? assert.fail()))
  for (const wrong of [
    "",
    "hello",
    pem.slice(0, 400),
    pem.replace(/[A-Z]{5}/, "AAAAA").slice(0, 300),
    "-----BEGIN CERTIFICATE-----\nMAMB\n-----END CERTIFICATE-----"
  ]) {
    assert.isUndefined(parse(wrong))
  }
})

test.each([
  "http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
  "https://sns.eu-west-1.amazonaws.com.evil.test/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
  "https://sns.us-east-1.amazonaws.com@evil.test/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
  "https://evil.test/sns.us-east-1.amazonaws.com/x.pem",
  "https://sns.us-east-1.amazonaws.com:8443/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
  "https://sns.us-east-1.amazonaws.com/x.txt",
  "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem?y=1",
  "https://sns.us-east-1.amazonaws.com/x.pem",
  "https://sns.us-east-1.amazonaws.com/a/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
  "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcde.pem",
  "https://sqs.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
  "https://amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
  "https://evil\\@sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem",
  "http://169.254.169.254/",
  ""
])("no certificate is fetched from %s", (url) => assert.isUndefined(certificateUrl(url)))

test("certificates of SNS are fetched, in every region", () => {
  for (const url of [
    certificate,
    "https://sns.cn-north-1.amazonaws.com.cn/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem"
  ]) {
    assert.strictEqual(certificateUrl(url), url)
  }
  assert.isUndefined(subscribeUrl("http://169.254.169.254/"))
  assert.isUndefined(subscribeUrl("https://sns.us-east-1.amazonaws.com.evil.test/"))
  assert.isDefined(subscribeUrl(subscription))
})

for (const [name, database] of databases()) {
  layer(wireWith(database), { timeout: "60 seconds" })(`SNS on ${name}`, (it) => {
    const ready = Effect.gen(function* () {
      yield* TestClock.setTime(Date.now())
      const outside = yield* Outside
      yield* outside.answer(certificate, pem)
      yield* outside.answer(subscription, "<ok/>")
      return outside
    })

    it.effect("both versions of the signature are accepted, and the certificate is fetched once", () =>
      Effect.gen(function* () {
        const outside = yield* ready
        const fetched = Effect.map(outside.requests, (all) => all.filter(({ url }) => url === certificate).length)
        const before = yield* fetched
        for (const SignatureVersion of ["1", "2", "1"]) {
          const id = yield* mailTo("sns@example.com")
          const inner = ses(id, { eventType: "Delivery", delivery: { timestamp: at, recipients: ["sns@example.com"] } })
          const message = sign(yield* notification(inner, { SignatureVersion }))
          const first = yield* post(message)
          assert.deepStrictEqual([first.status, first.body.data], [200, tally({ accepted: 1 })])
          assert.deepStrictEqual((yield* post(message)).body.data, tally({ duplicates: 1 }))
          assert.strictEqual((yield* read(id)).status, "DELIVERED")
        }
        assert.isAtMost((yield* fetched) - before, 1)
        yield* TestClock.adjust("25 hours")
        yield* post(sign(yield* notification(ses(randomUUID(), { eventType: "Send" }))))
        assert.isAtLeast((yield* fetched) - before, 1)
      })
    )

    it.effect("a message that was changed, signed by another key, foreign or old is refused", () =>
      Effect.gen(function* () {
        const outside = yield* ready
        const good = yield* notification(ses(randomUUID(), { eventType: "Send" }))
        assert.strictEqual(yield* status(sign(good)), 200)
        assert.strictEqual(yield* status({ ...sign(good), Message: "{}" }), 403)
        assert.strictEqual(yield* status({ ...sign(good), SignatureVersion: "1" }), 403)
        assert.strictEqual(yield* status({ ...good, Signature: "" }), 403)
        assert.strictEqual(yield* status({ ...good, Signature: "%%%" }), 403)
        assert.strictEqual(yield* status(sign(good, otherKey)), 403)
        assert.strictEqual(yield* status(sign({ ...good, TopicArn: `${topic}2` })), 403)
        const from = (SigningCertURL: string) => status(sign({ ...good, SigningCertURL }))
        yield* outside.answer("https://evil.test/x.pem", pem)
        assert.strictEqual(yield* from("https://evil.test/x.pem"), 403)
        assert.strictEqual(
          yield* from(
            "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-ffffffffffffffffffffffffffffffff.pem"
          ),
          403
        )
        assert.isFalse((yield* outside.requests).some(({ url }) => url.includes("evil")))
        const old = (days: number, hours = 0) =>
          Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.subtract(now, { days, hours })))
        assert.strictEqual(yield* status(sign({ ...good, Timestamp: yield* old(14, 1) })), 403)
        assert.strictEqual(yield* status(sign({ ...good, Timestamp: yield* old(13, 23) })), 200)
        assert.strictEqual(yield* status(sign({ ...good, Timestamp: yield* old(-1) })), 403)
        assert.strictEqual(yield* status({ Type: "Notification" }), 403)
      })
    )

    it.effect("a subscription to a trusted topic is confirmed, only at SNS", () =>
      Effect.gen(function* () {
        const outside = yield* ready
        const confirmed = Effect.map(outside.requests, (all) =>
          all.filter(({ url }) => url !== certificate).map(({ url }) => url)
        )
        const before = (yield* confirmed).length
        const hour = Effect.map(DateTime.now, (now) => DateTime.formatIso(DateTime.subtract(now, { minutes: 61 })))
        for (const wrong of [
          { SubscribeURL: "http://169.254.169.254/latest" },
          { SubscribeURL: "https://sns.us-east-1.amazonaws.com.evil.test/" },
          { TopicArn: "arn:aws:sns:eu-west-1:999999999999:mail" },
          { Timestamp: yield* hour }
        ]) {
          assert.strictEqual(yield* status(sign(yield* confirmation(wrong))), 403)
        }
        assert.strictEqual((yield* confirmed).length, before)
        const { status: code, body } = yield* post(sign(yield* confirmation()))
        assert.deepStrictEqual([code, body.data], [200, tally({ accepted: 1 })])
        assert.deepStrictEqual((yield* confirmed).slice(before), [subscription])
        const ended = sign(yield* confirmation({ Type: "UnsubscribeConfirmation" }))
        assert.deepStrictEqual((yield* post(ended)).body.data, tally({ ignored: 1 }))
        assert.strictEqual((yield* confirmed).length, before + 1)
      })
    )

    it.effect("each type of SES has its effect, with one event for each recipient", () =>
      Effect.gen(function* () {
        yield* ready
        const ends = Effect.fnUntraced(function* (more: object) {
          const id = yield* mailTo("sns@example.com")
          const { status: code, body } = yield* post(sign(yield* notification(ses(id, more))))
          assert.strictEqual(code, 200)
          return [(yield* read(id)).status, body.data.accepted + body.data.ignored]
        })
        const bounce = (bounceType: string, status = "5.1.1") => ({
          notificationType: "Bounce",
          bounce: {
            bounceType,
            bounceSubType: "General",
            timestamp: at,
            bouncedRecipients: [{ ...recipient, status, diagnosticCode: "smtp; 550 gone" }]
          }
        })
        assert.deepStrictEqual(yield* ends(bounce("Permanent")), ["BOUNCED", 1])
        assert.deepStrictEqual(yield* ends(bounce("Transient", "4.4.7")), ["SENT", 1])
        assert.deepStrictEqual(yield* ends(bounce("Undetermined")), ["BOUNCED", 1])
        assert.deepStrictEqual(
          yield* ends({
            eventType: "Complaint",
            complaint: { timestamp: at, complaintFeedbackType: "abuse", complainedRecipients: [recipient] }
          }),
          ["COMPLAINED", 1]
        )
        assert.deepStrictEqual(
          yield* ends({
            eventType: "DeliveryDelay",
            deliveryDelay: { timestamp: at, delayType: "MailboxFull", delayedRecipients: [recipient] }
          }),
          ["SENT", 1]
        )
        assert.deepStrictEqual(yield* ends({ eventType: "Reject", reject: { reason: "Bad content" } }), ["FAILED", 1])
        assert.deepStrictEqual(yield* ends({ eventType: "Rendering Failure", failure: { errorMessage: "no" } }), [
          "FAILED",
          1
        ])
        assert.deepStrictEqual(yield* ends({ eventType: "Subscription" }), ["SENT", 1])
        const two = {
          notificationType: "Delivery",
          delivery: { timestamp: at, recipients: ["sns@example.com", "other@example.com"] }
        }
        assert.deepStrictEqual(yield* ends(two), ["DELIVERED", 2])
        assert.strictEqual(yield* status(sign({ ...(yield* base), Type: "Notification", Message: "hello" })), 422)
      })
    )

    it.effect("a mail is found by the id that SES gave it, and received mail is inbound", () =>
      Effect.gen(function* () {
        yield* ready
        const sql = yield* SqlClient.SqlClient
        const id = yield* mailTo("sns@example.com")
        yield* sql`insert into provider_ids (provider_id, project_id, email_id) select ${`0102-${id}`}, project_id, id from emails where id = ${id}`
        const inner = {
          ...ses(id, { eventType: "Delivery", delivery: { timestamp: at, recipients: ["sns@example.com"] } })
        }
        const { headers: _, ...mail } = inner.mail
        yield* post(sign(yield* notification({ ...inner, mail })))
        assert.strictEqual((yield* read(id)).status, "DELIVERED")
        yield* send("POST", "/domains", { domain: "sns-inbound.test" })
        const received = {
          notificationType: "Received",
          mail: {
            timestamp: at,
            messageId: "x",
            destination: ["hi@sns-inbound.test"],
            commonHeaders: { from: ["Ada <ada@example.com>"], subject: "Hi" }
          },
          receipt: { timestamp: at, recipients: ["hi@sns-inbound.test"], spamVerdict: { status: "PASS" } }
        }
        const { body } = yield* post(sign(yield* notification(received)))
        assert.deepStrictEqual(body.data, tally({ accepted: 1 }))
      })
    )
  })
}
