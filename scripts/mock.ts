/** Starts the mock; see `npm run mock -- --help`. */

import { parseConfig } from '../server/config.ts'
import { onTermination } from './on_termination.ts'
import { ContractFaults } from './generate/faults.ts'
import { contractFor } from './mock/contract.ts'
import { parseCommandLine } from './parse_command_line.ts'

const HELP = `Usage: npm run mock -- [--port 4010] [--host 127.0.0.1] [--overlay brand.yaml]

Responds to every operation with the examples of the contract. Invalid requests get the same errors as from the service; any token is
accepted. HEADER_BRAND adds a second prefix to the headers, as it does in the service. With --overlay, all names are those of a
brand, as in its reference.

A Prefer header selects the response:
  code=404                        this status
  code=404, example=NAME          this example; for an unknown name, the error lists those that exist
  dynamic=true                    generated values that the contract allows, different each time
  dynamic=true, seed=42           the same values each time; Preference-Applied in the response has the seed
  delay=500                       after 500 milliseconds, at most 60,000
  fault=disconnect                the connection breaks before the response
  fault=truncate                  the connection breaks in the middle of its body
`

const options = {
  port: { type: 'string', default: '4010' },
  host: { type: 'string', default: '127.0.0.1' },
  overlay: { type: 'string' },
} as const
const { values } = parseCommandLine(import.meta.filename, { options }, HELP)
await serve().catch((error: unknown) => {
  if (!(error instanceof ContractFaults)) throw error
  console.error(error.message)
  process.exitCode = 1
})

async function serve(): Promise<void> {
  const HEADER_BRAND = process.env['WORKSPACE_HEADER_BRAND'] ?? process.env['HEADER_BRAND']
  const { host, port, headerBrand } = parseConfig({ HOST: values.host, PORT: values.port, HEADER_BRAND })
  const [{ Examples }, { createMockServer }] = await Promise.all([import('./mock/examples.ts'), import('./mock/server.ts')])
  const { document, headers } = await contractFor(headerBrand, values.overlay)
  const server = createMockServer(await Examples.of(document), headers)
  const end = (): void => {
    server.close()
    server.closeAllConnections()
  }
  onTermination(end)
  server.once('error', (error) => {
    console.error(`The mock cannot listen on ${host}:${port}: ${error.message}`)
    process.exitCode = 1
  })
  server.listen(port, host, () => {
    const address = server.address()
    console.log(`The mock is ready: http://${host}:${typeof address === 'object' ? address?.port : port}`)
  })
}
