/**
 * Divides a large table by time without reading its rows under a lock. The rows of today become the first partition as
 * they are, and `platform/Partitions.ts` creates the next ones. A row is in the partition of an id in its key, whose
 * first 48 bits are its time (RFC 9562, version 7).
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { type MigrationStep, transaction, validate } from "./Steps.ts"

export interface DividedTable {
  readonly table: string
  /** The column with the id. The primary key begins with `project_id` and this column. */
  readonly key: string
  /** A table that the rows refer to. Writers lock it first. */
  readonly owner?: string
  /** The indexes without the name of the table before them. Each is made again as the same index of all partitions. */
  readonly indexes: Readonly<Record<string, string>>
  /** Constraints of the whole, as in `alter table`. */
  readonly constraints: ReadonlyArray<string>
  /** Triggers for each statement, without the name of the table before them. */
  readonly triggers?: Readonly<Record<string, string>>
}

const lastId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

const run = (...statements: ReadonlyArray<string>) =>
  SqlClient.SqlClient.use((sql) => Effect.forEach(statements, (each) => sql.unsafe(each).unprepared, { discard: true }))

/**
 * A check says where the first partition ends: four months from now, or after the newest row. It is validated while
 * others write, so that the division reads no row. If the migration is left before the division, no row can be written
 * from that time on.
 */
const bound = ({ key, table }: DividedTable) =>
  run(`
    do $$
    declare
      newest uuid := (
        with recursive walked (id) as (
          (select project_id from ${table} order by project_id limit 1)
          union all
          select (select project_id from ${table} where project_id > walked.id order by project_id limit 1)
          from walked where walked.id is not null
        )
        select last.${key} from walked, lateral (
          select ${key} from ${table} where project_id = walked.id order by ${key} desc limit 1) as last
        order by 1 desc limit 1);
      millis bigint := coalesce(('x' || substr(replace(newest::text, '-', ''), 1, 12))::bit(48)::bigint, 0);
      until timestamptz := date_trunc(
        'month', greatest(now(), to_timestamp(millis / 1000.0)) + interval '4 months', 'UTC');
    begin
      millis := extract(epoch from until) * 1000;
      execute format(
        'alter table ${table} add constraint ${table}_first_until check (${key} < %L) not valid',
        case when millis >> 48 > 0 then '${lastId}'
             else rpad(lpad(to_hex(millis), 12, '0'), 32, '0')::uuid::text end);
    end $$`)

const divide = ({ constraints, indexes, key, owner, table, triggers = {} }: DividedTable) => {
  const first = `${table}_first`
  return run(
    ...(owner === undefined ? [] : [`lock table ${owner} in share row exclusive mode`]),
    `alter table ${table} rename to ${first}`,
    ...["pkey", ...Object.keys(indexes)].map((name) => `alter index ${table}_${name} rename to ${first}_${name}`),
    ...Object.keys(triggers).map((name) => `drop trigger ${table}_${name} on ${first}`),
    `create table ${table} (like ${first} including defaults including generated) partition by range (${key})`,
    ...constraints.map((constraint) => `alter table ${table} add ${constraint}`),
    ...Object.entries(indexes).map(([name, on]) => `create index ${table}_${name} on ${table} ${on}`),
    ...Object.entries(triggers).map(([name, what]) => `create trigger ${table}_${name} ${what}`),
    `do $$
     declare
       found record;
       until text := (
         select substring(pg_get_constraintdef(oid) from '[0-9a-f-]{36}') from pg_constraint
         where conrelid = '${first}'::regclass and conname = '${first}_until');
     begin
       execute format('alter table ${table} attach partition ${first} for values from (minvalue) to (%L)', until);
       for found in
         select privilege_type as privilege, is_grantable,
                case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end as role
         from pg_class, aclexplode(relacl) where pg_class.oid = '${first}'::regclass and grantee <> relowner
       loop
         execute format('grant %s on ${table} to %s %s', found.privilege, found.role,
                        case when found.is_grantable then 'with grant option' else '' end);
       end loop;
     end $$`,
    `alter table ${first} drop constraint ${first}_until`,
    `create table ${table}_default partition of ${table} default`
  )
}

export const divided = (table: DividedTable): ReadonlyArray<MigrationStep> => [
  transaction("bound", bound(table)),
  validate(table.table, `${table.table}_first_until`),
  transaction("divide", divide(table))
]

/** Autovacuum analyzes the partitions, but not the table as a whole. */
export const analyzed = ({ table }: DividedTable): MigrationStep => transaction("analyze", run(`analyze ${table}`))
