import { TOKEN } from '../databases/api.ts'
import type { Launch } from '../processes/launch.ts'

/** This service as `npm start` runs it, without request budgets. @param databaseUrl what `DATABASE_URL` takes */
export function serviceLaunch(databaseUrl: string): Launch {
  return {
    script: 'server/main.ts',
    readyPath: '/readyz',
    readyStatus: 200,
    environment: (port) => ({
      HOST: '127.0.0.1',
      PORT: String(port),
      DATABASE_URL: databaseUrl,
      BOOTSTRAP_TOKEN: TOKEN,
      BOOTSTRAP_SAMPLE: 'false',
      LOG_LEVEL: 'warn',
      RATE_LIMIT: 'off',
      WORKERS: '1',
    }),
  }
}
