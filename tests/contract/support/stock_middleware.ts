import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import * as OpenApiValidator from 'express-openapi-validator'
import { formats } from '../../../server/contract/formats.ts'
import { loadContractDocument } from '../../../server/contract/contract_document.ts'
import type { Json } from '../../harness/json.ts'

/** The verdict of express-openapi-validator's middleware on a request. */
export interface StockVerdict {
  readonly status: number
  readonly message: string
  /** Paths of its faults, in the server's form: `body.children[0].paragraph`. */
  readonly locations: readonly string[]
}

export interface StockServer {
  send(method: string, path: string, body: Json): Promise<StockVerdict>
  stop(): void
}

interface StockError {
  readonly status?: number
  readonly message: string
  readonly errors?: readonly { readonly path: string }[]
}

/** A minimal application with the stock middleware over the server form of the contract, and a handler that accepts everything. */
export async function startStockServer(version: string): Promise<StockServer> {
  const app = express()
  app.use(express.json({ strict: false, limit: '10mb' }))
  app.use(
    OpenApiValidator.middleware({
      apiSpec: loadContractDocument() as never,
      validateApiSpec: false,
      validateSecurity: false,
      validateResponses: false,
      fileUploader: false,
      validateRequests: { discriminator: true, allErrors: true, coerceTypes: false },
      formats: Object.fromEntries(
        Object.entries(formats).map(([name, { accepts }]) => [name, { type: 'string' as const, validate: accepts }]),
      ),
    }),
  )
  const take: RequestHandler = (_request, response) => void response.json({ status: 200, message: 'taken', locations: [] })
  const refuse: ErrorRequestHandler = ({ status = 500, message, errors = [] }: StockError, _request, response, _next) =>
    void response.json({ status, message, locations: errors.map(({ path }) => locationOf(path)) })
  app.use(take, refuse)
  const server = createServer({ keepAliveTimeout: 0 }, app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    send: async (method, path, body) => {
      const response = await fetch(address + path, {
        method,
        headers: { 'Service-Version': version, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      return (await response.json()) as StockVerdict
    },
    stop: () => server.close(),
  }
}

function locationOf(pointer: string): string {
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, step) => (/^\d+$/.test(step) ? `${path}[${step}]` : `${path}.${step}`))
}
