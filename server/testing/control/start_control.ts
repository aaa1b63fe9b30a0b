import { readFileSync } from 'node:fs'
import { parseContract } from '../../contract/document.ts'
import { serveContract } from '../../http/contract_server.ts'
import type { Request } from '../../http/interceptor.ts'
import type { Address, Listener } from '../../http/listener.ts'
import { ServiceError } from '../../kernel/errors.ts'
import { isLoopback } from '../../config/parsers.ts'
import type { TestServer } from '../create_test_server.ts'
import { markStart } from '../reset.ts'
import { controlHandlers } from './control_handlers.ts'

/**
 * Serves the control API of a test server; what the server is now counts as its start.
 * @param onFault hears of everything that was answered with 500
 * @throws ListenError when it cannot listen there
 */
export async function startControl(
  server: TestServer,
  address: Address,
  onFault: (error: unknown) => void,
): Promise<Pick<Listener, 'url' | 'close' | 'closeAtOnce'>> {
  await markStart(server)
  const [json, yaml] = ['json', 'yaml'].map((ending) => read(`control.${ending}`))
  const parts = {
    document: parseContract(read('control.server.json')),
    // The contract has checked what an operation gets, by which its handler is chosen.
    handlers: controlHandlers(server) as unknown as Parameters<typeof serveContract>[0]['handlers'],
    files: { '/openapi.json': json ?? '', '/openapi.yaml': yaml ?? '' },
    guard: (request: Request) => refuseBrowsers(request, isLoopback(address.host)),
    onFault,
  }
  return serveContract(parts, address)
}

function read(name: string): string {
  return readFileSync(new URL(`../../../generated/${name}`, import.meta.url), 'utf8')
}

/**
 * Pages in browsers reach the loopback too: those of other sites say where they are from, and those whose name was turned to this machine
 * say that name.
 * @param knowsNames whether callers are on this machine and know it by no other name
 */
function refuseBrowsers({ headers }: Request, knowsNames: boolean): void {
  if (headers.origin !== undefined)
    throw new ServiceError('restricted_resource', { message: 'The control API takes no requests of pages in browsers.' })
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  if (knowsNames && !isLoopback(host))
    throw new ServiceError('restricted_resource', {
      message: `The control API is on this machine, not on ${JSON.stringify(host)}.`,
    })
}
