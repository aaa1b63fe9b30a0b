import { releaseDates, type Operation } from '../../../../generated/operations.ts'
import { DatedContract } from '../../dated_contract.ts'
import type { RequestInput } from '../conform_client.ts'
import { badPaths } from '../refusals.ts'
import { badBodies } from './bad_bodies.ts'
import type { FullRunContext } from './full_run_context.ts'

/** The most requests that get faults planted in their bodies. */
const REQUESTS_MAX = 12

/**
 * Repeats accepted requests with one fault each, and in versions that do not exist or lack the operation. If the server accepts one, the
 * check of each exchange reports it.
 */
export async function sendBadRequests(context: FullRunContext, operation: Operation): Promise<void> {
  const good = context.writer.goodOf(operation)
  const newest = good.filter(({ version }) => version === undefined || version === good[0]?.version)
  const [first] = newest
  if (!first) return
  for (const { place, keyword, input } of [
    ...badPaths(operation, first),
    ...badHeads(operation, first),
    ...bodies(operation, newest),
  ])
    await context.writer.ask(operation, input, `${place} ${keyword}`, true)
}

interface Bad {
  readonly place: string
  readonly keyword: string
  readonly input: RequestInput
}

function badHeads(operation: Operation, good: RequestInput): readonly Bad[] {
  const lacking = releaseDates.filter((date) => DatedContract.of(date).operation(operation) === undefined)
  const versions = ['1999-01-01', ...lacking].map((version) => ({
    place: 'header Service-Version',
    keyword: version,
    input: { ...good, version },
  }))
  const keys = operation.headerParameters.includes('Idempotency-Key')
    ? [{ place: 'header Idempotency-Key', keyword: 'pattern', input: { ...good, headers: { 'idempotency-key': 'two words' } } }]
    : []
  return [...versions, ...keys]
}

function bodies(operation: Operation, good: readonly RequestInput[]): readonly Bad[] {
  const contract = DatedContract.of()
  const schema = contract.requestSchema(operation)
  const [first] = good
  if (!schema || !first) return []
  const { body: _body, ...rest } = first
  const broken = [
    ['json', '{"a":'],
    ['type', '[]'],
  ].map(([keyword = '', text = '']) => ({ place: 'body', keyword, input: { ...rest, text } }))
  const withBody = good.filter(({ body }) => body !== undefined).slice(-REQUESTS_MAX)
  const planted = badBodies(
    contract,
    schema,
    withBody.map(({ body }) => body),
  )
  return [...broken, ...planted.map(({ place, keyword, body }) => ({ place, keyword, input: { ...first, body } }))]
}
