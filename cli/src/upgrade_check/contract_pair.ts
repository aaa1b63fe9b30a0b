import { operations, type OperationId } from '../../../generated/operations.ts'
import { releaseChanges, type ReleaseChangeRow } from '../../../generated/release_changes.ts'
import type { ReleaseDate } from '../../../generated/types.ts'
import { contractFolder, contractTextSync } from '@workspace-service/server/contract/contract_text.ts'
import { DatedShape } from './dated_shape.ts'
import type { ValueSchema, ValueSchemas } from './value_form.ts'

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: ValueSchema }>>
}

interface DatedOperation {
  readonly deprecated?: boolean
  readonly 'x-deprecation'?: { readonly since: string; readonly replacement?: string }
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface DatedDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly components: { readonly schemas: ValueSchemas }
}

/** Names of properties and values that only the older contract has, wherever they occur. */
export interface DistinctNames {
  readonly sent: ReadonlySet<string>
  readonly received: ReadonlySet<string>
}

/** The contracts of two release dates, and the changes between them. */
export class ContractPair {
  readonly to: ReleaseDate
  readonly changes: readonly ReleaseChangeRow[]
  readonly distinct: DistinctNames
  readonly #documents: readonly [old: DatedDocument, newer: DatedDocument]
  readonly #from: ReleaseDate

  constructor(from: ReleaseDate, to: ReleaseDate) {
    this.#from = from
    this.to = to
    this.#documents = [readDocument(from), readDocument(to)]
    this.changes = releaseChanges.filter(({ date, kind }) => date > from && date <= to && kind !== 'elsewhere')
    const names = new Set(this.changes.flatMap((change) => change.names))
    const [sent, received] = [sentBy, receivedBy].map((select) => {
      const [before, after] = this.#documents.map((document) => namesIn(document, select)) as [Set<string>, Set<string>]
      return names.intersection(before.difference(after))
    }) as [Set<string>, Set<string>]
    this.distinct = { sent, received }
  }

  /** The parameters of an operation: of its path, of its query, and the members of its body. */
  sent(id: OperationId): DatedShape | undefined {
    const { pathParameters, queryParameters } = operations[id]
    const parameters = { properties: Object.fromEntries([...pathParameters, ...queryParameters].map((name) => [name, {}])) }
    return this.#shape(id, true, (operation) => {
      const [body] = sentBy(operation)
      return [body ? { allOf: [body, parameters] } : parameters]
    })
  }

  /** The request body of an operation. */
  body(id: OperationId): DatedShape | undefined {
    return this.#shape(id, true, sentBy)
  }

  received(id: OperationId): DatedShape | undefined {
    return this.#shape(id, false, receivedBy)
  }

  /** A schema of the contract, such as `PageObject`. */
  named(name: string): DatedShape | undefined {
    const sides = this.#documents.map(({ components: { schemas } }) => ({
      schemas,
      described: Object.hasOwn(schemas, name) ? [{ $ref: name }] : [],
    }))
    return DatedShape.of(sides, name.endsWith('Request'))
  }

  /** Whether only the older contract has the operation. */
  isGone(id: OperationId): boolean {
    const [before, after] = this.#documents.map((document) => operationIn(document, id))
    return before !== undefined && after === undefined
  }

  /** The deprecation of an operation since the older date. */
  deprecation(id: OperationId): { readonly since: string; readonly replacement?: string } | undefined {
    const deprecation = operationIn(this.#documents[1], id)?.['x-deprecation']
    return deprecation && deprecation.since > this.#from && deprecation.since <= this.to ? deprecation : undefined
  }

  /** The change that explains why the older contract alone has a name. */
  changeOf(name: string, id?: OperationId): ReleaseChangeRow | undefined {
    const named = this.changes.filter(({ names }) => names.includes(name))
    return named.find(({ operations: ids }) => id === undefined || ids.includes(id)) ?? named[0]
  }

  #shape(id: OperationId, isSent: boolean, select: (operation: DatedOperation) => ValueSchema[]): DatedShape | undefined {
    const sides = this.#documents.map((document) => {
      const operation = operationIn(document, id)
      return { schemas: document.components.schemas, described: operation ? select(operation) : [] }
    })
    return DatedShape.of(sides, isSent)
  }
}

function readDocument(date: ReleaseDate): DatedDocument {
  return JSON.parse(contractTextSync(contractFolder, `versions/${date}.json`)) as DatedDocument
}

function operationIn({ paths }: DatedDocument, id: OperationId): DatedOperation | undefined {
  const { path, method } = operations[id]
  return paths[path]?.[method] as DatedOperation | undefined
}

function schemasOf({ content = {} }: Content): ValueSchema[] {
  return Object.values(content).flatMap(({ schema }) => schema ?? [])
}

function sentBy({ requestBody = {} }: DatedOperation): ValueSchema[] {
  return schemasOf(requestBody)
}

function receivedBy({ responses }: DatedOperation): ValueSchema[] {
  return Object.entries(responses).flatMap(([status, response]) => (status.startsWith('2') ? schemasOf(response) : []))
}

/** All names of properties and values in the selected schemas, and in those that they refer to. */
function namesIn(document: DatedDocument, select: (operation: DatedOperation) => ValueSchema[]): Set<string> {
  const ids = Object.keys(operations) as OperationId[]
  const waiting: unknown[] = ids.flatMap((id) => {
    const operation = operationIn(document, id)
    return operation ? select(operation) : []
  })
  const names = new Set<string>()
  const seen = new Set<unknown>()
  while (waiting.length > 0) {
    const schema = waiting.pop()
    if (typeof schema !== 'object' || schema === null || seen.has(schema)) continue
    seen.add(schema)
    const { $ref, properties = {}, const: value, enum: values = [], ...others } = schema as ValueSchema
    if ($ref !== undefined) waiting.push(document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)])
    for (const name of [...Object.keys(properties), value, ...values]) if (typeof name === 'string') names.add(name)
    waiting.push(...Object.values(properties), ...Object.values(others))
  }
  return names
}
