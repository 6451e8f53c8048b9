/**
 * Draws hostile SMTP sessions, and checks what a submission service replies to them. The fuzz of the bench and a test
 * share it.
 */
import { connect } from "node:net"

/** A number from 0 to below 1. */
export type Next = () => number

/** A generator with a seed (mulberry32). The same seed gives the same sessions. */
export const generator = (seed: number): Next => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const pick = <A>(next: Next, choices: readonly [A, ...ReadonlyArray<A>]): A =>
  choices[Math.floor(next() * choices.length)] ?? choices[0]

const chance = (next: Next, likelihood: number) => next() < likelihood

const times = <A>(next: Next, most: number, one: () => A): ReadonlyArray<A> =>
  Array.from({ length: Math.floor(next() * (most + 1)) }, one)

const octets = (next: Next, most: number) => String.fromCharCode(...times(next, most, () => Math.floor(next() * 256)))

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64")

const ends = ["\r\n", "\n", "\r", "\r\n.\r\n", "\n.\n", "\n.\r\n", "\r\n.\n", "\0", ""] as const

const address = (next: Next) =>
  pick(next, [
    "ada@example.com",
    "",
    "ada",
    "@a,@b:ada@example.com",
    `${"a".repeat(300)}@example.com`,
    "ada@[127.0.0.1]",
    '"a b"@example.com',
    "j\xfcrgen@example.com",
    "a@b@c",
    "<<a@b.co>>",
    `ada@example.com> SIZE=${"9".repeat(25)}`,
    octets(next, 20)
  ])

const command = (next: Next, key: string): string =>
  pick(next, [
    "EHLO client.test",
    "HELO client.test",
    `EHLO ${octets(next, 40)}`,
    `MAIL FROM:<${address(next)}>`,
    `MAIL FROM:<${address(next)}> BODY=8BITMIME SMTPUTF8 SIZE=100`,
    `MAIL FROM:<> RET=FULL ENVID=x+0D+0Ay`,
    `RCPT TO:<${address(next)}>`,
    "RCPT TO:<ada@example.com>",
    "DATA",
    "RSET",
    "NOOP",
    "VRFY ada",
    "EXPN all",
    "STARTTLS",
    "HELP",
    `AUTH PLAIN ${base64(`\0any\0${key}`)}`,
    `AUTH PLAIN ${base64(octets(next, 60))}`,
    `AUTH PLAIN ${base64("\0any\0a wrong key")}`,
    "AUTH PLAIN",
    "AUTH PLAIN =",
    `AUTH PLAIN ${"A".repeat(Math.floor(next() * 15_000))}`,
    `AUTH LOGIN ${base64("any")}`,
    "AUTH LOGIN",
    "*",
    base64(key),
    base64(octets(next, 60)),
    octets(next, 60).replaceAll(/[\r\n]/g, "="),
    "AUTH XOAUTH2 x",
    "AUTH",
    "XCLIENT ADDR=1.2.3.4",
    "PROXY TCP4 1.2.3.4 1.2.3.4 1 1",
    "BDAT 10 LAST",
    "GET / HTTP/1.1",
    "x".repeat(Math.floor(next() * 20_000)),
    octets(next, 100),
    "."
  ])

const header = (next: Next, domain: string): string =>
  pick(next, [
    `From: a@${domain}`,
    `From: a@${domain}, b@${domain}`,
    `From: "${octets(next, 30)}" <a@${domain}>`,
    "To: ada@example.com",
    `To: ${"x@example.com, ".repeat(Math.floor(next() * 500))}`,
    "To: group: a@b.co, c@d.co;",
    `Cc: ${octets(next, 60)}`,
    "Subject: =?utf-8?b?AAoNCg==?=",
    `Subject: ${octets(next, 100)}`,
    "Message-ID: <a@b>",
    `Message-ID: ${octets(next, 40)}`,
    `References: ${"<a@b> ".repeat(Math.floor(next() * 400))}`,
    `X-${octets(next, 10)}: ${octets(next, 30)}`,
    'X-Posthorn-Data: {"a": {"__proto__": 1}}',
    `X-Posthorn-Data: ${octets(next, 50)}`,
    "X-Posthorn-Interpolate: true",
    `X-Posthorn-Tag: ${octets(next, 20)}=x`,
    "X-Posthorn-Contacts: off",
    "X-Posthorn-Scheduled-For: 2999-01-01",
    "__proto__: x",
    "Content-Type: multipart/mixed; boundary=b",
    "Content-Type: multipart/alternative; boundary=b",
    "Content-Type: text/html; charset=utf-16",
    "Content-Transfer-Encoding: base64",
    "Content-Transfer-Encoding: quoted-printable",
    "Received: from x",
    " folded",
    octets(next, 50)
  ])

const part = (next: Next): string =>
  pick(next, [
    "--b",
    "--b--",
    "Content-Type: text/plain",
    "Content-Type: multipart/mixed; boundary=b",
    "Content-Disposition: attachment; filename*0*=utf-8''%00%2F; filename=\"../x\"",
    "Content-ID: <x>",
    '<img src="cid:x">{{#each a}}',
    "=00=0D=0A.",
    "..",
    ".",
    ". ",
    "",
    "x".repeat(Math.floor(next() * 300_000)),
    octets(next, 80)
  ])

const message = (next: Next, domain: string): string => {
  const head = [`From: a@${domain}`, ...times(next, 8, () => header(next, domain))]
  const lines = chance(next, 0.2) ? head.slice(1) : head
  const end = chance(next, 0.8) ? "\r\n" : pick(next, ends)
  return `${lines.join(end)}${end}${end}${times(next, 12, () => part(next)).join(end)}\r\n.\r\n`
}

/**
 * How a client ends a session: it quits and reads all replies, closes its half of the connection somewhere in the middle,
 * or vanishes there without a word.
 */
export type Ending = "reads" | "half closes" | "vanishes"

export interface Session {
  /** In the packets in which the client writes them, without waiting for replies. */
  readonly packets: ReadonlyArray<Buffer>
  readonly ending: Ending
}

/** What a client writes. Most sessions get as far as a message, and most clients read to the end. */
export const drawSession = (
  next: Next,
  { domain, key }: { readonly domain: string; readonly key: string },
  ending: Ending = "reads"
): Session => {
  const lines: Array<string> = []
  const noise = () => times(next, 2, () => `${command(next, key)}${chance(next, 0.9) ? "\r\n" : pick(next, ends)}`)
  lines.push(...noise())
  if (chance(next, 0.85)) lines.push("EHLO client.test\r\n", `AUTH PLAIN ${base64(`\0any\0${key}`)}\r\n`)
  lines.push(...noise())
  for (const _ of times(next, 2, () => undefined)) {
    lines.push("MAIL FROM:<a@example.com>\r\n", "RCPT TO:<ada@example.com>\r\n", ...noise(), "DATA\r\n")
    lines.push(message(next, domain), ...noise())
  }
  // Ends whatever is open: a message, a login, or a line.
  lines.push("\r\n.\r\nQUIT\r\n")
  const all = Buffer.from(lines.join(""), "latin1")
  const length = ending === "reads" ? all.length : Math.ceil(next() * all.length)
  const packets: Array<Buffer> = []
  for (let at = 0; at < length; ) {
    const size = chance(next, 0.3) ? 1 + Math.floor(next() * 4) : 1 + Math.floor(next() * 2_000)
    packets.push(all.subarray(at, Math.min(length, at + size)))
    at += size
  }
  return { packets, ending }
}

/** RFC 5321 section 4.5.3.1.5, without the line end. */
const longestReply = 510
const replyLine = /^[2-5]\d\d(?:[ -][\x20-\x7e]*)?$/
/** RFC 4954 section 4. */
const challenge = /^334 (?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The code of a line, and whether more lines of its reply follow. */
const parsed = (line: string) => ({ code: line.slice(0, 3), isOpen: line[3] === "-", text: line.slice(4) })

/** Whether the enhanced status code, if there is one, has the class of the code (RFC 2034 section 4). */
const hasFittingStatus = (line: string) => {
  const { code, text } = parsed(line)
  const status = /^([245])\.\d{1,3}\.\d{1,3}(?: |$)/.exec(text)?.[1]
  return status === undefined || status === code[0]
}

/** What is wrong with the replies. Undefined if nothing is. */
export const deviationOf = (heard: string): string | undefined => {
  if (heard !== "" && !heard.endsWith("\r\n")) return "the last reply has no end"
  const lines = heard.split("\r\n").slice(0, -1)
  const malformed = lines.find(
    (line, n) =>
      !replyLine.test(line) ||
      line.length > longestReply ||
      !hasFittingStatus(line) ||
      (line.startsWith("334") && !challenge.test(line)) ||
      (n > 0 && parsed(lines[n - 1] ?? "").isOpen && parsed(lines[n - 1] ?? "").code !== parsed(line).code)
  )
  if (malformed !== undefined) return `a malformed reply: ${JSON.stringify(malformed.slice(0, 600))}`
  if (parsed(lines.at(-1) ?? "").isOpen) return `the last reply has no last line: ${lines.at(-1)}`
  const failed = lines.find((line) => /internal|^451 4\.3\.0|^454 /.test(line))
  return failed === undefined ? undefined : `a failure of the service: ${failed}`
}

/** The ids of the first mails of all messages that were accepted. */
export const acceptedIn = (heard: string): ReadonlyArray<string> =>
  [...heard.matchAll(/^250 2\.0\.0 Ok: queued as (\S+)\r$/gm)].flatMap(([, id]) => id ?? [])

/** Milliseconds within which a server greets a client, and closes the connection of one that has ended. */
const patience = 60_000

/** Sends the packets, and reads until the server closes, or until the client vanishes. Fails if the server hangs. */
export const converse = (port: number, { ending, packets }: Session, localAddress?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true, ...(localAddress && { localAddress }) })
    let heard = ""
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve(heard)
    }
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The server hangs after ${JSON.stringify(heard.slice(-200))}`))
    }, patience)
    const write = (at: number) => {
      const packet = packets[at]
      if (socket.destroyed) return end()
      if (packet !== undefined) socket.write(packet, () => setImmediate(write, at + 1))
      else if (ending === "vanishes") end()
      else if (ending === "half closes") socket.end()
    }
    socket.once("data", () => write(0))
    socket.on("data", (chunk) => {
      heard += chunk.toString("latin1")
    })
    socket.on("end", end)
    socket.on("close", end)
    socket.on("error", end)
  })
