import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { blockJson } from '../databases/api.ts'
import { cacheFolder, MILLION, type Prepared } from '../databases/prepare.ts'
import { launch, type Launch, type Running } from '../processes/launch.ts'
import { step } from '../progress.ts'
import { expressLaunch, nodeHttpLaunch, prismLaunch } from './others.ts'
import { serviceLaunch } from './service.ts'

/** A server under measurement. */
export interface BenchSubject {
  readonly name: string
  readonly kind: 'node:http' | 'express' | 'prism' | 'service'
  readonly launch: Launch
  readonly running: Running
  /** Of this service only. */
  readonly database?: Prepared
}

export const NODE_HTTP = 'node:http'
export const EXPRESS = 'Express 5'
export const PRISM = 'Prism'

/** @returns `SQLite 1 k`, `PostgreSQL 1 M` and the like */
export function serviceName(database: Pick<Prepared, 'blocks' | 'engine'>): string {
  return `${database.engine.name === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${database.blocks === MILLION ? '1 M' : '1 k'}`
}

/** The running subjects of a run. */
export interface Subjects {
  readonly all: readonly BenchSubject[]
  stop(): Promise<void>
}

/** Starts this service on each database, then the others, which answer with JSON of the service; nothing where there is none. */
export async function startSubjects(databases: readonly Prepared[], withPrism: boolean): Promise<Subjects> {
  const all: BenchSubject[] = []
  const payloadFile = join(cacheFolder, `payload-${process.pid}.json`)
  const stop = async (): Promise<void> => {
    await Promise.all(all.map(({ running }) => running.stop()))
    await rm(payloadFile, { force: true })
  }
  const start = async (name: string, kind: BenchSubject['kind'], how: Launch, database?: Prepared): Promise<void> => {
    step(`starting ${name}`)
    all.push({ name, kind, launch: how, running: await launch(how), ...(database === undefined ? {} : { database }) })
  }
  try {
    for (const database of databases) await start(serviceName(database), 'service', serviceLaunch(database.url), database)
    const [service] = all
    const [database] = databases
    if (!service || !database) return { all, stop }
    await writeFile(payloadFile, await blockJson(service.running.url, database.sample.spread[0] ?? ''))
    await start(NODE_HTTP, 'node:http', nodeHttpLaunch(payloadFile))
    await start(EXPRESS, 'express', expressLaunch(payloadFile))
    if (withPrism) await start(PRISM, 'prism', prismLaunch())
  } catch (error) {
    await stop()
    throw error
  }
  return { all, stop }
}
