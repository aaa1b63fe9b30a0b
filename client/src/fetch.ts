/**
 * The contract as an openapi-fetch client: `GET`, `POST`, `PATCH` and `DELETE` with a path of the contract, typed by it. Requests have the
 * headers that their operation takes. Everything else is openapi-fetch: `data` or `error`, `use` for middleware, no retries.
 */
import createClient, { type Client, type Middleware } from 'openapi-fetch'
import { clientOperations, type ClientOperation } from '../../generated/client_operations.ts'
import type { paths } from '../../generated/types.ts'
import { addHeaders, setHeader } from './headers.ts'
import type { HeaderOptions, ServiceOptions } from './options.ts'
import { parseBaseUrl, serializePath } from './request.ts'

export type { HeaderOptions, ServiceOptions, TokenProvider } from './options.ts'
export type * from '../../generated/types.ts'

/** The paths of the contract, with headers that the client adds as optional. */
export type ClientPaths = {
  [Path in keyof paths]: { [Method in keyof paths[Path]]: WithOptionalHeaders<paths[Path][Method]> }
}

type WithOptionalHeaders<Operation> = Operation extends { parameters: { header: infer Header } }
  ? Omit<Operation, 'parameters'> & { parameters: Omit<Operation['parameters'], 'header'> & { header?: Partial<Header> } }
  : Operation

export type FetchClient = Client<ClientPaths>

export type FetchClientOptions = ServiceOptions & HeaderOptions

/** @throws InvalidCallError for an invalid address */
export function createFetchClient(options: FetchClientOptions): FetchClient {
  const client = createCore(options)
  client.use(serviceHeaders(options))
  return client
}

/** openapi-fetch for this service, without any middleware. */
export function createCore({ baseUrl, fetch }: Pick<ServiceOptions, 'baseUrl' | 'fetch'>): FetchClient {
  return createClient<ClientPaths>({
    baseUrl: parseBaseUrl(baseUrl),
    pathSerializer: serializePath,
    // By default, the runtime's function at the time of the call, so that tests can replace it.
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
  })
}

function serviceHeaders(options: FetchClientOptions): Middleware {
  return {
    async onRequest({ request, schemaPath }) {
      const operation = operationAt(request.method, schemaPath)
      if (operation === undefined) return
      if (options.automaticIdempotencyKeys && operation.key && !request.headers.has('Idempotency-Key'))
        setHeader(request.headers, 'Idempotency-Key', crypto.randomUUID())
      await addHeaders(request.headers, { operation, brand: options.headerBrand, options: [options] })
    },
  }
}

function operationAt(method: string, path: string): ClientOperation | undefined {
  const all: readonly ClientOperation[] = Object.values(clientOperations)
  return all.find((operation) => operation.path === path && operation.method === method.toLowerCase())
}
