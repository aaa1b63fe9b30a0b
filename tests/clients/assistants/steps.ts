import type { Row, Schema, Selection, Worker } from './worker.ts'

/** The id of the first page or data source with these words in its title. */
export async function foundId(worker: Worker, words: string, kind: 'page' | 'data_source' = 'page'): Promise<string> {
  const [found] = await worker.find(words, kind)
  if (!found) throw new Error(`nothing found for ${words}`)
  return found.id
}

/** A data source and its properties. */
export async function openSource(worker: Worker, words: string): Promise<{ source: string; schema: Schema }> {
  const source = await foundId(worker, words, 'data_source')
  return { source, schema: await worker.describe(source) }
}

export async function rowsOf(worker: Worker, words: string, selection: Selection): Promise<readonly Row[]> {
  const { source, schema } = await openSource(worker, words)
  return worker.query(source, schema, selection)
}

export async function personNamed(worker: Worker, name: string): Promise<string> {
  const found = (await worker.people()).find((person) => person.name === name)
  if (!found) throw new Error(`nobody is called ${name}`)
  return found.id
}
