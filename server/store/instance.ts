import type { Connection, Database, Transaction } from './database.ts'
import { sql } from './sql.ts'

/** A value of this deployment, such as the key that signs cursors. All processes that use the database share it. */
export async function instanceValue(db: Connection, name: string): Promise<string | undefined> {
  const row = await db.get({ value: 'text' }, sql`select value from instance where name = ${name}`)
  return row?.value
}

/** Sets a value unless it is already set. @returns the value that is now set */
export async function ensureInstanceValue(db: Transaction, name: string, value: string): Promise<string> {
  await db.run(sql`insert into instance (name, value) values (${name}, ${value}) on conflict (name) do nothing`)
  return (await instanceValue(db, name)) ?? value
}

export async function setInstanceValue(db: Transaction, name: string, value: string): Promise<void> {
  await db.run(
    sql`insert into instance (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`,
  )
}

const ADDRESS = 'address'

/** The address at which the service was last started, for links to it; undefined before its first start. */
export function lastAddress(db: Connection): Promise<string | undefined> {
  return instanceValue(db, ADDRESS)
}

export async function noteAddress(database: Database, url: string): Promise<void> {
  if ((await database.read(lastAddress)) !== url) await database.write((db) => setInstanceValue(db, ADDRESS, url))
}

export async function deleteInstanceValue(db: Transaction, name: string): Promise<void> {
  await db.run(sql`delete from instance where name = ${name}`)
}
