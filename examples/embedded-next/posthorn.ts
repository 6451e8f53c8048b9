/**
 * One Posthorn for all modules of a Next.js application. The development server runs a changed module again in the same
 * process, so module variables are lost and a second Posthorn would start. `globalThis` is kept.
 */
import { createPosthorn, type Posthorn } from "@posthorn/embedded"

const kept: typeof globalThis & { posthorn?: Promise<Posthorn> | undefined } = globalThis

const start = () => {
  const smtp = process.env["SMTP_URL"]
  return createPosthorn({
    database: process.env["DATABASE_URL"] ?? { dataDir: process.env["DATA_DIR"] ?? "./mail" },
    ...(smtp === undefined ? { dev: true } : { mailer: { smtp } }), // dev: mail goes to /mail/dev/mailbox
    publicUrl: process.env["PUBLIC_URL"] ?? "http://localhost:3000/mail",
    secret: process.env["POSTHORN_SECRET"] ?? "of development only, 32 bytes and more"
  })
}

/** Starts at the first call, not at the import, because a build imports every module in several processes. */
export const posthorn = (): Promise<Posthorn> => {
  kept.posthorn ??= start().catch((error) => {
    // The next request tries again.
    kept.posthorn = undefined
    throw error
  })
  return kept.posthorn
}
