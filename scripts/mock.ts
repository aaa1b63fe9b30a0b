/** Starts the mock; see `npm run mock -- --help`. */

import { parseArgs } from 'node:util'
import { parseConfig } from '../server/config.ts'
import { whenTold } from './ending.ts'
import { ContractFaults } from './generate/faults.ts'
import { contractFor } from './mock/contract.ts'

const HELP = `Usage: npm run mock -- [--port 4010] [--host 127.0.0.1] [--overlay brand.yaml]

Answers every operation with the examples of the contract. A request that the contract refuses gets the error that the service
would give; any token will do. HEADER_BRAND gives the protocol's headers a second word, as it does for the service;
with --overlay, everything has the names of a brand, as in its reference.

A Prefer header chooses the answer:
  code=404                        this status
  code=404, example=NAME          this example; an unknown name is answered with those that there are
  dynamic=true                    an answer that is made up of what the contract allows, another one each time
  dynamic=true, seed=42           the same one each time; the answer's Preference-Applied tells its seed
  delay=500                       after 500 milliseconds, at most 60,000
  fault=disconnect                the connection breaks before the answer
  fault=truncate                  the connection breaks in the middle of its body
`

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '4010' },
    host: { type: 'string', default: '127.0.0.1' },
    overlay: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(HELP)
} else {
  await serve().catch((error: unknown) => {
    if (!(error instanceof ContractFaults)) throw error
    console.error(error.message)
    process.exitCode = 1
  })
}

async function serve(): Promise<void> {
  const HEADER_BRAND = process.env['WORKSPACE_HEADER_BRAND'] ?? process.env['HEADER_BRAND']
  const { host, port, headerBrand } = parseConfig({ HOST: values.host, PORT: values.port, HEADER_BRAND })
  const [{ Examples }, { createMock }] = await Promise.all([import('./mock/examples.ts'), import('./mock/server.ts')])
  const { document, headers } = await contractFor(headerBrand, values.overlay)
  const server = createMock(await Examples.of(document), headers)
  const end = (): void => {
    server.close()
    server.closeAllConnections()
  }
  whenTold(end)
  server.once('error', (error) => {
    console.error(`The mock cannot listen on ${host}:${port}: ${error.message}`)
    process.exitCode = 1
  })
  server.listen(port, host, () => {
    const address = server.address()
    console.log(`The mock is ready: http://${host}:${typeof address === 'object' ? address?.port : port}`)
  })
}
