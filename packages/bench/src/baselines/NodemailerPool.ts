/**
 * The least that sending an email costs: nodemailer's pool with its own DKIM signer, in a separate process, without a
 * database. It signs with RSA only.
 */
import { createPrivateKey, generateKeyPairSync, randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { createTransport, type Transporter } from "nodemailer"
import * as Letter from "../load/Letter.ts"
import { answer } from "../processes/Answering.ts"
import * as Child from "../processes/Child.ts"

export const Question = Schema.Struct({
  port: Schema.Int,
  /** The form of the signer's key: as text, which it parses for each email, or parsed. */
  key: Schema.Literals(["PEM", "KeyObject"]),
  mails: Schema.Int,
  /** Undefined: as fast as possible. */
  perSecond: Schema.optionalKey(Schema.Finite)
})
type Question = typeof Question.Type

/** When each email was handed to the pool, as a Unix time in milliseconds. */
export const Answer = Schema.Struct({
  mails: Schema.Array(Schema.Struct({ messageId: Schema.String, startedAt: Schema.Finite }))
})

/** As many as a transport of the service has. */
export const connections = 20

const domain = "raw.bench.test"
const { privateKey: pem } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" }
})

const subject = Letter.subject("Ada")
const html = Letter.html("Ada", "pro")
const text = Letter.text("Ada", "pro")

const transports = new Map<string, Transporter>()

const transportOf = ({ key, port }: Question): Transporter => {
  const known = transports.get(`${key} ${port}`)
  if (known !== undefined) return known
  const privateKey = key === "PEM" ? pem : createPrivateKey(pem)
  const transport = createTransport({
    pool: true,
    maxConnections: connections,
    host: "127.0.0.1",
    port,
    ignoreTLS: true,
    dkim: { domainName: domain, keySelector: "raw", privateKey }
  })
  transports.set(`${key} ${port}`, transport)
  return transport
}

const now = () => performance.timeOrigin + performance.now()

const run = async (question: Question) => {
  const { mails, perSecond } = question
  const transport = transportOf(question)
  const begin = now()
  const sent: Array<{ messageId: string; startedAt: number }> = []
  const running: Array<Promise<unknown>> = []
  for (let n = 0; n < mails; n++) {
    const wait = perSecond === undefined ? 0 : begin + (n * 1000) / perSecond - now()
    if (wait > 0) await sleep(wait)
    const id = randomUUID()
    const messageId = `${id}@${domain}`
    sent.push({ messageId, startedAt: now() })
    running.push(
      transport.sendMail({
        from: { address: `hello@${domain}`, name: "Bench" },
        to: `reader-${n}@example.com`,
        subject,
        html,
        text,
        messageId: `<${messageId}>`,
        headers: { "Auto-Submitted": "auto-generated", "Feedback-ID": "transactional:bench:raw", "X-Email-Id": id }
      })
    )
  }
  await Promise.all(running)
  return { mails: sent } satisfies typeof Answer.Type
}

export const start = Child.start({ name: "nodemailer pool", argv: [fileURLToPath(import.meta.url)], answers: true })

if (import.meta.main) answer(Question, run)
