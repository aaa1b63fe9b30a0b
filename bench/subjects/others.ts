import type { Launch } from '../processes/launch.ts'

/** @param payloadFile the JSON of its responses */
export function nodeHttpLaunch(payloadFile: string): Launch {
  return {
    script: 'bench/subjects/node_http.ts',
    arguments: (port) => [String(port), payloadFile],
    readyPath: '/',
    readyStatus: 200,
  }
}

/** @param payloadFile the JSON of its GET responses; PATCH returns its own body */
export function expressLaunch(payloadFile: string): Launch {
  return {
    script: 'bench/subjects/express.ts',
    arguments: (port) => [String(port), payloadFile],
    readyPath: '/',
    readyStatus: 200,
  }
}

/** @param databaseUrl a separate copy of the service's database */
export function rowsLaunch(databaseUrl: string): Launch {
  return {
    script: 'bench/baselines/express_rows.ts',
    arguments: (port) => [String(port), databaseUrl],
    readyPath: '/healthz',
    readyStatus: 200,
  }
}

/**
 * Prism, run by its own command on the mock form of the contract. With the public form it is not ready after three minutes, and needs 1.3
 * GB.
 */
export function prismLaunch(): Launch {
  return {
    script: 'node_modules/@stoplight/prism-cli/dist/index.js',
    readyPath: '/',
    readyStatus: 'any',
    arguments: (port) => [
      'mock',
      'generated/openapi.mock.yaml',
      '--port',
      String(port),
      '--host',
      '127.0.0.1',
      '--multiprocess=false',
      '--verboseLevel',
      'warn',
    ],
  }
}
