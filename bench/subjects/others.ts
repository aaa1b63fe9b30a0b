import type { Launch } from '../processes/launch.ts'

/** @param payloadFile the JSON that it answers with */
export function nodeHttpLaunch(payloadFile: string): Launch {
  return {
    script: 'bench/subjects/node_http.ts',
    arguments: (port) => [String(port), payloadFile],
    readyPath: '/',
    readyStatus: 200,
  }
}

/** @param payloadFile the JSON that it answers GET with; PATCH gets its own body back */
export function expressLaunch(payloadFile: string): Launch {
  return {
    script: 'bench/subjects/express.ts',
    arguments: (port) => [String(port), payloadFile],
    readyPath: '/',
    readyStatus: 200,
  }
}

/** Prism with the options of `npm run mock`. @param document relative to the project */
export function prismLaunch(document: string): Launch {
  return {
    script: 'node_modules/@stoplight/prism-cli/dist/index.js',
    readyPath: '/',
    readyStatus: 'any',
    arguments: (port) => [
      'mock',
      document,
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
