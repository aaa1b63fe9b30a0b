import type { Connection, Database, Transaction } from './database.ts'
import { sql } from './sql.ts'

/** Facts of this deployment as a whole, such as the key that signs cursors: shared by every process on the database. */
export async function instanceValue(db: Connection, name: string): Promise<string | undefined> {
  const row = await db.get({ value: 'text' }, sql`select value from instance where name = ${name}`)
  return row?.value
}

/** Sets a value unless there is one. @returns the value that is there now */
export async function settleInstanceValue(db: Transaction, name: string, value: string): Promise<string> {
  await db.run(sql`insert into instance (name, value) values (${name}, ${value}) on conflict (name) do nothing`)
  return (await instanceValue(db, name)) ?? value
}

/** Sets a value, whatever was there. */
async function setInstanceValue(db: Transaction, name: string, value: string): Promise<void> {
  await db.run(
    sql`insert into instance (name, value) values (${name}, ${value}) on conflict (name) do update set value = excluded.value`,
  )
}

const ADDRESS = 'address'

/** Where the service was last started, for those who are given links to it; undefined before its first start. */
export function lastAddress(db: Connection): Promise<string | undefined> {
  return instanceValue(db, ADDRESS)
}

export async function noteAddress(database: Database, url: string): Promise<void> {
  if ((await database.read(lastAddress)) !== url) await database.write((db) => setInstanceValue(db, ADDRESS, url))
}

export async function forgetInstanceValue(db: Transaction, name: string): Promise<void> {
  await db.run(sql`delete from instance where name = ${name}`)
}
