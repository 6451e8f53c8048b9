/**
 * One Posthorn for all modules of a Next.js application. The development server runs a changed module again in the same
 * process, so module variables are lost and a second Posthorn would start. `globalThis` is kept.
 */
import { createPosthorn } from "@posthorn/embedded"

export const domain = process.env["MAIL_DOMAIN"] ?? "shop.test"

const start = async () => {
  const smtp = process.env["SMTP_URL"]
  const posthorn = await createPosthorn({
    database: process.env["DATABASE_URL"] ?? { dataDir: process.env["DATA_DIR"] ?? "./mail" },
    ...(smtp === undefined ? { dev: true } : { mailer: { smtp } }), // dev: mail goes to /mail/dev/mailbox
    publicUrl: process.env["PUBLIC_URL"] ?? "http://localhost:3000/mail",
    secret: process.env["POSTHORN_SECRET"] ?? "of development only, 32 bytes and more"
  })
  const { id } = await posthorn.ensureProject("Shop")
  const shop = posthorn.client(id)
  await shop.domains.add({ domain }) // refused with CONFLICT once it is there
  return { posthorn, shop }
}

const kept: typeof globalThis & { mail?: ReturnType<typeof start> | undefined } = globalThis

/** Starts at the first call, not at the import, because a build imports every module in several processes. */
export const mail = (): ReturnType<typeof start> => {
  kept.mail ??= start().catch((error) => {
    // The next request tries again.
    kept.mail = undefined
    throw error
  })
  return kept.mail
}
