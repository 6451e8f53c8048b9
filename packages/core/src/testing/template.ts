/**
 * Prepares the databases once per test run: an empty, migrated database as a file for PGlite, and as a template
 * database on PostgreSQL where a server answers. Tests restore or copy it instead of creating their own.
 */

import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { PgClient } from "@effect/sql-pg"
import { PGlite } from "@electric-sql/pglite"
import * as Pglite from "@posthorn/pglite"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import * as Migrations from "../platform/migrations/index.ts"
import { shareProgramIn } from "./BuiltProgram.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** File with the dump of a migrated PGlite database. */
    pgliteTemplate: string
    /** The test server, and the database to copy on it. Undefined where no server answers. */
    postgres: { readonly url: string; readonly template: string } | undefined
  }
}

const migrate = (database: Layer.Layer<SqlClient.SqlClient, unknown>) =>
  Effect.runPromise(Effect.provide(Migrations.migrate, Layer.orDie(database)))

const migrations = fileURLToPath(new URL("../platform/migrations", import.meta.url))
const installed = fileURLToPath(new URL("../../../../node_modules", import.meta.url))
const cache = join(installed, ".cache/pglite")

/** Changes with each migration and with the version of PGlite. */
const versionOfTemplate = async (): Promise<string> => {
  const hash = createHash("sha256").update(await readFile(join(installed, "@electric-sql/pglite/package.json")))
  const files = (await readdir(migrations)).filter((file) => !file.endsWith(".test.ts"))
  for (const file of files.sort()) hash.update(file).update(await readFile(join(migrations, file)))
  return hash.digest("hex").slice(0, 16)
}

/** The dump is kept for the next test run until a migration changes. Each run reads its own copy. */
const pgliteTemplate = async (folder: string): Promise<string> => {
  const file = join(folder, "database.tar")
  const kept = join(cache, `${await versionOfTemplate()}.tar`)
  if (existsSync(kept)) {
    await copyFile(kept, file)
    return file
  }
  await migrate(Pglite.layer({ folder }))
  const db = await PGlite.create({ dataDir: join(folder, "database") })
  const dump = await db.dumpDataDir("none")
  await db.close()
  await writeFile(file, Buffer.from(await dump.arrayBuffer()))
  await rm(cache, { recursive: true, force: true })
  await mkdir(cache, { recursive: true })
  await copyFile(file, `${kept}.${process.pid}`)
  await rename(`${kept}.${process.pid}`, kept)
  return file
}

const Databases = Schema.Array(Schema.Struct({ datname: Schema.String }))

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port }, () => socket.end(() => resolve(true)))
    socket.on("error", () => resolve(false))
  })

const sql = (url: string, statement: string) =>
  Effect.runPromise(
    Effect.provide(
      SqlClient.SqlClient.use((client) => client.unsafe(statement)),
      Layer.orDie(PgClient.layer({ url: Redacted.make(url) }))
    )
  )

/** The template, and the copies of it that are still there. */
const removeAll = async (url: string, template: string): Promise<void> => {
  const found = await sql(
    url,
    `select datname from pg_database where datname = '${template}' or starts_with(datname, '${template}_')`
  )
  for (const { datname } of Schema.decodeUnknownSync(Databases)(found)) {
    await sql(url, `drop database if exists ${datname} with (force)`)
  }
}

export default async (project: TestProject) => {
  const folder = await mkdtemp(join(tmpdir(), "posthorn-template-"))
  project.provide("pgliteTemplate", await pgliteTemplate(folder))
  shareProgramIn(join(folder, "program"))

  const given = process.env["POSTHORN_TEST_DATABASE_URL"]
  const url = given ?? ((await answers(5432)) ? "postgres://postgres@127.0.0.1:5432/test" : undefined)
  const template = `posthorn_test_${process.pid}`
  if (url !== undefined) {
    await sql(url, `create database ${template}`)
    const copy = new URL(url)
    copy.pathname = `/${template}`
    await migrate(PgClient.layer({ url: Redacted.make(copy.href), startupParameters: { search_path: "posthorn" } }))
  }
  project.provide("postgres", url === undefined ? undefined : { url, template })

  return async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
    if (url !== undefined) return await removeAll(url, template)
    console.warn(
      "\nSKIPPED: everything on PostgreSQL. Set POSTHORN_TEST_DATABASE_URL, or start a server on 127.0.0.1:5432.\n"
    )
  }
}
