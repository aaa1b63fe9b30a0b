import { readFileSync } from 'node:fs'
import { parseContractDocument } from '@workspace-service/server/contract/contract_document.ts'
import { serveContract, type ContractRefusal } from '@workspace-service/server/http/contract_server.ts'
import type { Request } from '@workspace-service/server/http/interceptor.ts'
import type { Address, Listener } from '@workspace-service/server/http/listener.ts'
import { ServiceError } from '@workspace-service/server/kernel/errors.ts'
import { isLoopback } from '@workspace-service/server/config/parsers.ts'
import type { TestServer } from '../create_test_server.ts'
import { markStart } from '../reset.ts'
import { sequenceOf } from '../seeded_random.ts'
import { controlHandlers } from './control_handlers.ts'

/**
 * Serves the control API of a test server. Resetting restores the state that the server has now.
 * @param onFault called with each error that led to a 500 response
 * @param onRefusal called with each refused request
 * @param seed makes the ids of its requests the same in each run
 * @throws ListenError if the address cannot be listened on
 */
export async function startControl(
  server: TestServer,
  address: Address,
  onFault: (error: unknown) => void,
  onRefusal: (refusal: ContractRefusal) => void = () => undefined,
  seed?: string,
): Promise<Pick<Listener, 'url' | 'close' | 'closeAtOnce'>> {
  await markStart(server)
  const [json, yaml] = ['json', 'yaml'].map((ending) => read(`control.${ending}`))
  const deps = {
    document: parseContractDocument(read('control.server.json')),
    // The contract has validated the input of an operation; the handler is chosen by its id.
    handlers: controlHandlers(server) as unknown as Parameters<typeof serveContract>[0]['handlers'],
    files: { '/openapi.json': json ?? '', '/openapi.yaml': yaml ?? '' },
    guard: (request: Request) => refuseBrowsers(request, isLoopback(address.host)),
    newRequestId: seed === undefined ? undefined : sequenceOf(`${seed} control`).uuid,
    onFault,
    onRefusal,
  }
  return serveContract(deps, address)
}

function read(name: string): string {
  return readFileSync(new URL(`../../../generated/${name}`, import.meta.url), 'utf8')
}

/**
 * Refuses requests from web pages, which can reach the loopback address too: pages of other sites send an `Origin`, and pages that use DNS
 * rebinding send another `Host`.
 * @param knowsNames whether callers are on this machine, so that any other `Host` is refused
 */
function refuseBrowsers({ headers }: Request, knowsNames: boolean): void {
  if (headers.origin !== undefined)
    throw new ServiceError('restricted_resource', { message: 'The control API does not accept requests from web pages.' })
  const host = (headers.host ?? '').replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1')
  if (knowsNames && !isLoopback(host))
    throw new ServiceError('restricted_resource', {
      message: `The control API accepts only the host of its own machine, instead was ${JSON.stringify(host)}.`,
    })
}
