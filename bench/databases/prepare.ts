import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { launch, projectRoot } from '../processes/launch.ts'
import { step } from '../progress.ts'
import { serviceLaunch } from '../subjects/service.ts'
import type { Engine } from './engine.ts'
import { fill, type BlockSample } from './fill.ts'
import { fillRows, type RowSample } from './rows.ts'
import { fillTitles, type TitleSample } from './titles.ts'

/** Databases are filled once and kept in this folder, which may be deleted at any time. */
export const cacheFolder = join(tmpdir(), 'workspace-service-bench')

/** A filled database of this run. */
export interface Prepared {
  readonly engine: Engine
  readonly blocks: number
  /** Its `DATABASE_URL`. */
  readonly url: string
  readonly sample: BlockSample
  /**
   * Makes another copy.
   * @returns its `DATABASE_URL`
   */
  copy(): Promise<string>
}

export const THOUSAND = 1_000
export const HUNDRED_THOUSAND = 100_000
export const MILLION = 1_000_000

/** Copies of filled databases. Missing ones are created first, which takes minutes for a million blocks. */
export async function prepare(engine: Engine, sizes: readonly number[]): Promise<Prepared[]> {
  await mkdir(cacheFolder, { recursive: true })
  await engine.forgetAllBut([
    ...[THOUSAND, MILLION].flatMap((size) => [keyOf(size), titleKeyOf(size)]),
    ...[HUNDRED_THOUSAND, MILLION].map(rowKeyOf),
  ])
  const prepared: Prepared[] = []
  for (const blocks of sizes) {
    const key = keyOf(blocks)
    const label = `${engine.name}, ${blocks.toLocaleString('en')} blocks`
    const sample = await storedSample<BlockSample>(engine, key, label, (url) => fillThroughService(url, blocks, label))
    const copy = (): Promise<string> => engine.copy(key)
    prepared.push({ engine, blocks, url: await copy(), sample, copy })
  }
  return prepared
}

/** A database of pages to search. */
export interface PreparedTitles {
  readonly engine: Engine
  readonly pages: number
  readonly url: string
  readonly sample: TitleSample
}

/** Like `prepare`, for databases of many empty pages. */
export async function prepareTitles(engine: Engine, sizes: readonly number[]): Promise<PreparedTitles[]> {
  const prepared: PreparedTitles[] = []
  for (const pages of sizes) {
    const key = titleKeyOf(pages)
    const label = `${engine.name}, ${pages.toLocaleString('en')} pages`
    const sample = await storedSample<TitleSample>(engine, key, label, async (url) => {
      await (await launch(serviceLaunch(url))).stop()
      return fillTitles(url, pages, label)
    })
    prepared.push({ engine, pages, url: await engine.copy(key), sample })
  }
  return prepared
}

/** A database with one data source of many rows. */
export interface PreparedRows {
  readonly engine: Engine
  readonly rows: number
  readonly url: string
  readonly sample: RowSample
}

/** Like `prepare`, for data sources of many rows. */
export async function prepareRows(engine: Engine, sizes: readonly number[]): Promise<PreparedRows[]> {
  const prepared: PreparedRows[] = []
  for (const rows of sizes) {
    const key = rowKeyOf(rows)
    const label = `${engine.name}, ${rows.toLocaleString('en')} rows`
    const sample = await storedSample<RowSample>(engine, key, label, async (url) => {
      const service = await launch(serviceLaunch(url))
      try {
        return await fillRows(url, service.url, rows, label)
      } finally {
        await service.stop()
      }
    })
    prepared.push({ engine, rows, url: await engine.copy(key), sample })
  }
  return prepared
}

const keyOf = (blocks: number): string => `${blocks}_${stateOfSources()}`
const titleKeyOf = (pages: number): string => `titles_${keyOf(pages)}`
const rowKeyOf = (rows: number): string => `rows_${keyOf(rows)}`

/** The stored sample of a database. A missing database is created first. */
async function storedSample<T>(engine: Engine, key: string, label: string, fillNew: (url: string) => Promise<T>): Promise<T> {
  const sampleFile = join(cacheFolder, `${engine.name}_${key}.json`)
  if (!(await engine.has(key))) {
    step(`making ${label}: once, later runs find it in ${cacheFolder}`)
    await writeFile(sampleFile, JSON.stringify(await fillNew(await engine.create(key))))
    await engine.keep(key)
  }
  return JSON.parse(await readFile(sampleFile, 'utf8')) as T
}

async function fillThroughService(url: string, blocks: number, label: string): Promise<BlockSample> {
  const service = await launch(serviceLaunch(url))
  try {
    return await fill(service.url, blocks, label)
  } finally {
    await service.stop()
  }
}

/** A hash that changes with the schema or the content. */
function stateOfSources(): string {
  const files = [
    ...['migrations', 'schema'].flatMap((room) => {
      const folder = join(projectRoot, 'server/store', room)
      return readdirSync(folder)
        .sort()
        .map((name) => join(folder, name))
    }),
    join(projectRoot, 'server/store/dialects/titles_schema.ts'),
    ...['content.ts', 'fill.ts', 'titles.ts', 'rows.ts'].map((name) => join(import.meta.dirname, name)),
  ]
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(file))
  return hash.digest('hex').slice(0, 12)
}
