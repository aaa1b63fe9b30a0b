/**
 * Serves the mock: Prism on generated/openapi.mock.yaml. `Prefer: code=404, example=object_not_found` chooses an answer.
 *
 *     node scripts/mock.ts [--port 4010] [--host 127.0.0.1]
 */

import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'

const projectRoot = resolve(import.meta.dirname, '..')
const { values } = parseArgs({
  options: { port: { type: 'string', default: '4010' }, host: { type: 'string', default: '127.0.0.1' } },
})

console.log(`The mock is getting ready; it takes a few seconds. Then: http://${values.host}:${values.port}`)
const command = join(projectRoot, 'node_modules/@stoplight/prism-cli/dist/index.js')
const document = join(projectRoot, 'generated/openapi.mock.yaml')
const options = ['mock', document, '--port', values.port, '--host', values.host, '--multiprocess=false', '--verboseLevel', 'warn']
const prism = spawn(process.execPath, [command, ...options], { stdio: 'inherit' })
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => prism.kill(signal))
prism.on('exit', (code) => (process.exitCode = code ?? 0))
