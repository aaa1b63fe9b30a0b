import { createInstance, getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createLogger } from '@stoplight/prism-core'
import type { Operation } from '../../generated/operations.ts'
import { mockDocument } from '../generate/mock.ts'
import { operationsOf, resolve, type Document, type ResponseObject as DeclaredResponse } from '../generate/document.ts'
import { requireOneOf, type Preferences } from './preferences.ts'

export interface ExampleResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** An object, or the text of a page or of events. */
  readonly body: unknown
}

type Prism = ReturnType<typeof createInstance>
type PrismOperations = Awaited<ReturnType<typeof getHttpOperationsFromSpec>>
interface Choice {
  readonly code: string
  readonly example?: string
}

const UNJUDGED = {
  isProxy: false,
  upstreamProxy: undefined,
  validateRequest: false,
  validateResponse: false,
  checkSecurity: false,
  errors: false,
} as const

/** Responses from the examples of the contract, by Prism. Requests are validated beforehand, not by Prism. */
export class Examples {
  readonly document: Document
  readonly #prism: Prism
  readonly #operations: PrismOperations

  private constructor(document: Document, operations: PrismOperations) {
    this.document = document
    this.#operations = operations
    this.#prism = createInstance({ ...UNJUDGED, mock: { dynamic: false } }, { logger: createLogger('mock', { level: 'silent' }) })
  }

  /** @param contract the contract of this project or of a brand */
  static async of(contract: Document): Promise<Examples> {
    const document = mockDocument(contract)
    // Prism would need these only to validate requests, and they use a third of its memory.
    for (const { operation } of operationsOf(document)) {
      delete operation.parameters
      delete operation.requestBody
      delete operation.security
    }
    return new Examples(document, await getHttpOperationsFromSpec(document))
  }

  /** @throws ServiceError `validation_error` for a status or an example that the operation does not have */
  async responseFor(
    operation: Operation,
    accept: string | undefined,
    preferences: Pick<Preferences, 'code' | 'example'>,
  ): Promise<ExampleResponse> {
    const { code, example } = this.#choose(operation, preferences)
    const preferred = {
      method: operation.method,
      url: { path: operation.path.replaceAll(/\{\w+\}/g, 'x') },
      headers: accept === undefined ? {} : { accept },
    }
    const mock = { dynamic: false, code: Number(code), ...(example === undefined ? {} : { exampleKey: example }) }
    const result = await this.#prism.request(preferred, this.#operations, { ...UNJUDGED, mock })()
    if (result._tag === 'Left') throw result.left
    const { statusCode, headers, body } = result.right.output
    return { status: statusCode, headers: headers ?? {}, body }
  }

  #choose(operation: Operation, { code, example }: Pick<Preferences, 'code' | 'example'>): Choice {
    const responses = this.document.paths[operation.path]?.[operation.method]?.responses ?? {}
    const statuses = Object.keys(responses)
    const namesOf = (status: string): string[] => {
      const response = responses[status]
      const content = (response && resolve<DeclaredResponse>(this.document, response).content) ?? {}
      return Object.values(content).flatMap((media) => Object.keys(media.examples ?? {}))
    }
    const known = code === undefined ? undefined : requireOneOf('code', code, statuses)
    const among = known === undefined ? statuses : [known]
    const usual = known ?? statuses.find((status) => Number(status) < 400) ?? '200'
    if (example === undefined) return { code: usual }
    requireOneOf('example', example, [...new Set(among.flatMap(namesOf))])
    return { code: among.find((status) => namesOf(status).includes(example)) ?? usual, example }
  }
}
