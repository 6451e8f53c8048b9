/** For tests: DMARC reports as three makers write them, and mails that carry them. */
import { deflateRawSync, gzipSync } from "node:zlib"

export interface Shape {
  readonly org: string
  readonly id: string
  readonly domain: string
  /** Seconds since 1970. */
  readonly begin: number
  readonly policy?: string
  readonly records: ReadonlyArray<{
    readonly ip: string
    readonly count: number
    readonly dkim?: boolean
    readonly spf?: boolean
    readonly disposition?: string
    readonly from?: string
    /** A valid signature with this selector. */
    readonly selector?: string
  }>
}

const result = (passed: boolean | undefined) => (passed ? "pass" : "fail")

const recordOf = (
  { domain }: Shape,
  { count, disposition = "none", dkim, from = domain, ip, selector, spf }: Shape["records"][number]
) => `
  <record>
    <row>
      <source_ip>${ip}</source_ip>
      <count>${count}</count>
      <policy_evaluated><disposition>${disposition}</disposition><dkim>${result(dkim)}</dkim><spf>${result(spf)}</spf></policy_evaluated>
    </row>
    <identifiers><header_from>${from}</header_from></identifiers>
    <auth_results>
      ${selector === undefined ? "" : `<dkim><domain>${domain}</domain><selector>${selector}</selector><result>pass</result></dkim>`}
      <spf><domain>bounce.${domain}</domain><result>${result(spf)}</result></spf>
    </auth_results>
  </record>`

/** As Google writes them. */
export const google = (shape: Shape) => `<?xml version="1.0" encoding="UTF-8" ?>
<feedback>
  <version>1.0</version>
  <report_metadata>
    <org_name>${shape.org}</org_name>
    <email>noreply-dmarc-support@google.com</email>
    <extra_contact_info>https://support.google.com/a/answer/2466580</extra_contact_info>
    <report_id>${shape.id}</report_id>
    <date_range><begin>${shape.begin}</begin><end>${shape.begin + 86_399}</end></date_range>
  </report_metadata>
  <policy_published>
    <domain>${shape.domain}</domain><adkim>r</adkim><aspf>r</aspf><p>${shape.policy ?? "none"}</p><sp>none</sp><pct>100</pct><np>none</np>
  </policy_published>${shape.records.map((record) => recordOf(shape, record)).join("")}
</feedback>
`

/** As Microsoft writes them: with the namespaces of a schema, and an envelope in each record. */
export const microsoft = (shape: Shape) =>
  google(shape)
    .replace('<?xml version="1.0" encoding="UTF-8" ?>', '<?xml version="1.0"?>')
    .replace(
      "<feedback>",
      '<feedback xmlns:xsd="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    )
    .replaceAll(
      "<identifiers>",
      "<identifiers><envelope_to>outlook.com</envelope_to><envelope_from>bounce.example</envelope_from>"
    )

/** With the elements of RFC 9990 in a namespace, and text in CDATA. */
export const rfc9990 = (shape: Shape) =>
  google(shape)
    .replace("<version>1.0</version>", "")
    .replace(/<(\/?)(?!\?)/g, "<$1d:")
    .replace("<d:feedback>", '<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0">')
    .replace(`<d:org_name>${shape.org}<`, `<d:org_name><![CDATA[${shape.org}]]><`)

export const gzipped = (xml: string) => new Uint8Array(gzipSync(xml))

/** A zip archive with these files (APPNOTE 4.3). Sizes follow the data if `isStream`. */
export const zipped = (files: ReadonlyArray<string>, isStream = false) => {
  const locals: Array<Buffer> = []
  const entries: Array<Buffer> = []
  let at = 0
  for (const [n, text] of files.entries()) {
    const [name, raw] = [Buffer.from(`report${n}.xml`), Buffer.from(text)]
    const data = deflateRawSync(raw)
    const head = Buffer.alloc(26)
    head.writeUInt16LE(20, 0)
    head.writeUInt16LE(isStream ? 8 : 0, 2)
    head.writeUInt16LE(8, 4)
    head.writeUInt32LE(isStream ? 0 : data.length, 14)
    head.writeUInt32LE(isStream ? 0 : raw.length, 18)
    head.writeUInt16LE(name.length, 22)
    const descriptor = Buffer.alloc(isStream ? 16 : 0)
    if (isStream) {
      descriptor.writeUInt32LE(0x08074b50, 0)
      descriptor.writeUInt32LE(data.length, 8)
      descriptor.writeUInt32LE(raw.length, 12)
    }
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), head, name, data, descriptor])
    const entry = Buffer.alloc(42)
    head.copy(entry, 2)
    entry.writeUInt16LE(20, 0)
    entry.writeUInt32LE(data.length, 16)
    entry.writeUInt32LE(raw.length, 20)
    entry.writeUInt32LE(at, 38)
    entries.push(Buffer.concat([Buffer.from("PK\x01\x02"), entry, name]))
    locals.push(local)
    at += local.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return new Uint8Array(Buffer.concat([...locals, directory, Buffer.from("PK\x05\x06"), end]))
}

/** A mail with a text and attachments, each of a type. */
export const mailWith = (to: string, files: ReadonlyArray<readonly [type: string, content: Uint8Array]>) =>
  new Uint8Array(
    Buffer.from(
      [
        "From: reports@receiver.example",
        `To: ${to}`,
        "Subject: Report Domain: acme.test Submitter: receiver.example",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="b"',
        "",
        "--b",
        "Content-Type: text/plain",
        "",
        "This is an aggregate report.",
        ...files.flatMap(([type, content], n) => [
          "--b",
          `Content-Type: ${type}; name="report${n}"`,
          "Content-Transfer-Encoding: base64",
          `Content-Disposition: attachment; filename="report${n}"`,
          "",
          Buffer.from(content).toString("base64").replace(/.{76}/g, "$&\r\n")
        ]),
        "--b--",
        ""
      ].join("\r\n")
    )
  )
