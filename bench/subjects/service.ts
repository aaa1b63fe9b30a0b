import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOKEN } from '../databases/api.ts'
import { projectRoot, type Launch } from '../processes/launch.ts'

/** The command of `npm start`. */
const { start } = (JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { scripts: { start: string } }).scripts
const [script = '', ...nodeOptions] = start.split(' ').slice(1).toReversed()

/** Settings of the service for one measurement. */
export interface ServiceTerms {
  /** Folder of another commit. */
  readonly root?: string | undefined
  /** Folder for processor profiles. */
  readonly profile?: string | undefined
  /** Processes that handle requests; by default 1. */
  readonly workers?: number
}

/** Rate limits that no load reaches, and headers of a second brand. */
const WHOLE = { RATE_LIMIT: '1000000/60', RATE_LIMIT_WORKSPACE: '1000000/60', HEADER_BRAND: 'Tide' }

/**
 * This service as `npm start` runs it: on SQLite with rate limits and a second brand; on PostgreSQL without, because counting there takes a
 * statement of its own.
 * @param databaseUrl value of `DATABASE_URL`
 */
export function serviceLaunch(databaseUrl: string, { root, profile, workers = 1 }: ServiceTerms = {}): Launch {
  const profiling = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`]
  return {
    script,
    nodeOptions: [...nodeOptions, ...profiling],
    ...(root === undefined ? {} : { root }),
    readyPath: '/readyz',
    readyStatus: 200,
    environment: (port) => ({
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      BOOTSTRAP_TOKEN: TOKEN,
      BOOTSTRAP_SAMPLE: 'empty',
      LOG_LEVEL: 'warn',
      ...(databaseUrl.startsWith('sqlite:') ? WHOLE : { RATE_LIMIT: 'off' }),
      WORKERS: String(workers),
    }),
  }
}
