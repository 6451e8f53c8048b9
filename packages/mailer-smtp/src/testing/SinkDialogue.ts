/** One connection of the sink: reads commands, answers them, and misbehaves where it is configured to. */
import type { Socket } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { TLSSocket } from "node:tls"
import type { Certificate } from "./Certificate.ts"

/**
 * In the order of a session: `connect` before the banner, then the replies to the connection, EHLO, MAIL, RCPT and
 * DATA, `body` in the middle of a message, `dot` once the whole message is recorded, `accepted` after the reply to it.
 */
export const stages = ["connect", "banner", "ehlo", "mail", "rcpt", "data", "body", "dot", "accepted"] as const
export type Stage = (typeof stages)[number]

export interface Moment {
  readonly stage: Stage
  /** Counted from 1, over the life of the sink. */
  readonly connection: number
  /** Counted from 1 at MAIL, over the life of the sink; 0 before the first of the connection. */
  readonly mail: number
  readonly rcpt: string
}

export interface Misbehaviour {
  /** Closes the connection instead of the reply; at `banner`, after it. */
  readonly drop?: boolean | undefined
  /** Another reply, without the last CRLF. Any reply but 2xx at `dot` refuses the message. */
  readonly reply?: string | undefined
  /** Milliseconds before the reply or the close. */
  readonly delay?: number | undefined
  /** Sends the reply byte by byte, with this many milliseconds in between. */
  readonly drip?: number | undefined
}

export interface Dialogue {
  readonly extensions: ReadonlyArray<string>
  /** Offers STARTTLS (RFC 3207) with it. */
  readonly certificate: Certificate | undefined
  readonly misbehaviour: (moment: Omit<Moment, "connection">) => Misbehaviour
  readonly onCommand: (command: string) => void
  /** Returns the number of this message. */
  readonly onMail: () => number
  readonly onAccepted: (
    mail: { readonly from: string; readonly rcpt: string; readonly isEncrypted: boolean },
    raw: Buffer
  ) => void
}

const endOfMail = "\r\n.\r\n"
const usualReplies = {
  banner: "220 sink.test ESMTP",
  mail: "250 2.1.0 Ok",
  rcpt: "250 2.1.5 Ok",
  data: "354 End data with <CR><LF>.<CR><LF>",
  dot: "250 2.0.0 Ok: queued"
}

const address = (command: string) => /<([^>]*)>/.exec(command)?.[1] ?? ""

const multiline = (code: number, lines: ReadonlyArray<string>) =>
  lines.map((line, position) => `${code}${position === lines.length - 1 ? " " : "-"}${line}`).join("\r\n")

const unstuffed = (raw: Buffer) =>
  raw.includes("\r\n.") || raw[0] === 0x2e
    ? Buffer.from(raw.toString("latin1").replaceAll("\r\n.", "\r\n").replace(/^\./, ""), "latin1")
    : raw

/** Incoming bytes, and a promise for more of them: false if no more will come. */
const incoming = (socket: Socket) => {
  let isOpen = true
  let wake = (_isOpen: boolean) => {}
  const input = {
    buffered: Buffer.alloc(0),
    more: () =>
      new Promise<boolean>((resolve) => {
        wake = resolve
        if (!isOpen) resolve(false)
      })
  }
  // Holds the buffered bytes, with free space after them, because a large message comes in many pieces.
  let store = input.buffered
  socket.on("data", (chunk) => {
    const bytes = Buffer.from(chunk)
    const length = input.buffered.length + bytes.length
    let start = input.buffered.byteOffset - store.byteOffset
    if (start + length > store.length) {
      store = Buffer.concat([input.buffered], 2 * length)
      start = 0
    }
    bytes.copy(store, start + input.buffered.length)
    input.buffered = store.subarray(start, start + length)
    wake(true)
  })
  const end = () => {
    isOpen = false
    wake(false)
  }
  socket.once("end", end).once("close", end)
  return input
}

export const converse = async (plain: Socket, dialogue: Dialogue): Promise<void> => {
  let socket = plain
  let input = incoming(socket)
  let hasSender = false
  let from = ""
  let rcpt = ""
  let mail = 0

  const offered = () =>
    dialogue.certificate === undefined || socket !== plain ? dialogue.extensions : [...dialogue.extensions, "STARTTLS"]

  const misbehaviourAt = (stage: Stage) => dialogue.misbehaviour({ stage, mail, rcpt })

  const say = async (text: string, { delay, drip }: Misbehaviour = {}) => {
    if (delay !== undefined) await sleep(delay)
    if (drip === undefined) return void socket.write(`${text}\r\n`)
    for (const byte of Buffer.from(`${text}\r\n`)) {
      socket.write(Buffer.of(byte))
      await sleep(drip)
    }
  }

  const drop = async ({ delay }: Misbehaviour) => {
    if (delay !== undefined) await sleep(delay)
    socket.destroy()
  }

  /** Returns whether the command was accepted. */
  const answer = async (usual: string, misbehaviour: Misbehaviour): Promise<boolean> => {
    if (misbehaviour.drop === true) await drop(misbehaviour)
    else await say(misbehaviour.reply ?? usual, misbehaviour)
    return !socket.destroyed && /^[23]/.test(misbehaviour.reply ?? usual)
  }

  const greet = async () => {
    const misbehaviour = misbehaviourAt("banner")
    await say(misbehaviour.reply ?? usualReplies.banner, misbehaviour)
    if (misbehaviour.drop === true) socket.destroySoon()
  }

  /** The line end of DATA counts as the one before the first line (RFC 5321 section 4.1.1.4). */
  const receive = async () => {
    const misbehaviour = misbehaviourAt("body")
    let searchedFrom = 0
    while (!input.buffered.subarray(0, 3).equals(Buffer.from(".\r\n"))) {
      const end = input.buffered.indexOf(endOfMail, searchedFrom)
      if (misbehaviour.drop === true && input.buffered.length > 0) return drop(misbehaviour)
      if (end >= 0) return accept(input.buffered.subarray(0, end + 2), end + endOfMail.length)
      searchedFrom = Math.max(0, input.buffered.length - endOfMail.length)
      if (!(await input.more())) return
    }
    return accept(Buffer.alloc(0), 3)
  }

  const accept = async (raw: Buffer, taken: number) => {
    hasSender = false
    input.buffered = input.buffered.subarray(taken)
    const misbehaviour = misbehaviourAt("dot")
    if (/^2/.test(misbehaviour.reply ?? usualReplies.dot))
      dialogue.onAccepted({ from, rcpt, isEncrypted: socket !== plain }, unstuffed(raw))
    await answer(usualReplies.dot, misbehaviour)
    const afterwards = misbehaviourAt("accepted")
    if (afterwards.drop === true) socket.destroySoon()
  }

  const encrypt = async (certificate: Certificate) => {
    await say("220 2.0.0 Ready")
    socket = new TLSSocket(socket, { isServer: true, ...certificate }).on("error", () => plain.destroy())
    input = incoming(socket)
  }

  const obey = async (command: string): Promise<void> => {
    switch (command.slice(0, 4).toUpperCase()) {
      case "EHLO":
        await answer(multiline(250, ["sink.test", ...offered()]), misbehaviourAt("ehlo"))
        return
      case "STAR":
        return dialogue.certificate === undefined || socket !== plain
          ? say("502 5.5.1 No TLS here")
          : encrypt(dialogue.certificate)
      case "HELO":
        return say("250 sink.test")
      case "MAIL":
        if (hasSender) return say("503 5.5.1 Nested MAIL command")
        mail = dialogue.onMail()
        rcpt = ""
        from = address(command)
        hasSender = await answer(usualReplies.mail, misbehaviourAt("mail"))
        return
      case "RCPT":
        if (!hasSender) return say("503 5.5.1 Need MAIL first")
        rcpt = address(command)
        if (!(await answer(usualReplies.rcpt, misbehaviourAt("rcpt")))) rcpt = ""
        return
      case "DATA":
        if (rcpt === "") return say("503 5.5.1 No valid recipients")
        return (await answer(usualReplies.data, misbehaviourAt("data"))) ? receive() : undefined
      case "RSET":
        hasSender = false
        rcpt = ""
        return say("250 2.0.0 Ok")
      case "NOOP":
        return say("250 2.0.0 Ok")
      case "QUIT":
        await say("221 2.0.0 Bye")
        return void socket.end()
      default:
        return say("502 5.5.2 Command not recognized")
    }
  }

  const atConnect = misbehaviourAt("connect")
  if (atConnect.drop === true) return drop(atConnect)
  await greet()
  while (!socket.destroyed) {
    const end = input.buffered.indexOf("\r\n")
    if (end >= 0) {
      const command = input.buffered.toString("utf8", 0, end)
      input.buffered = input.buffered.subarray(end + 2)
      dialogue.onCommand(command)
      await obey(command)
    } else if (!(await input.more())) return
  }
}
