import { randomUUID } from 'node:crypto'
import { newestRelease, operations, type Operation } from '../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { RequestInput } from '../conform_client.ts'
import type { FullRunContext } from './full_run_context.ts'

const CONFLICT = 409

/** Operations that create something: an unrecognized repeat would create it twice. */
const MAKING: readonly Operation[] = [
  operations.createPage,
  operations.createDatabase,
  operations.appendBlockChildren,
  operations.createComment,
  operations.createFileUpload,
]

/**
 * Sends a request twice with one key, and a different request with the same key.
 * @param wanted the operations to call
 */
export async function checkIdempotency(context: FullRunContext, wanted: readonly Operation[]): Promise<void> {
  for (const operation of MAKING) if (wanted.includes(operation)) await checkKey(context, operation)
}

async function checkKey({ writer }: FullRunContext, operation: Operation): Promise<void> {
  const [good, different] = differentBodies(writer.goodOf(operation))
  if (!good) return
  const headers = { 'idempotency-key': randomUUID() }
  const first = await writer.send(operation, { ...good, headers }, { name: 'with a key', isCertain: true })
  if (!first) return
  const again = await writer.ask(operation, { ...good, headers }, 'with the same key')
  if (!again) return
  const isSame = isObject(again.value) && JSON.stringify(again.value) === JSON.stringify(first.record)
  writer.expect(isSame, operation, again, 'body', 'is not the stored response, though request and key are the same')
  const replayed = again.exchange.responseHeaders['idempotency-replayed']
  writer.expect(replayed === 'true', operation, again, 'header Idempotency-Replayed', 'is not `true` on a stored response')
  if (!different) return
  const other = await writer.ask(operation, { ...different, headers }, 'another request with the same key')
  if (other)
    writer.expect(
      other.status === CONFLICT,
      operation,
      other,
      'status',
      'is not 409, though an earlier request with other content used the key',
    )
}

/** Two accepted requests that differ. */
function differentBodies(good: readonly RequestInput[]): readonly RequestInput[] {
  const newest = good.filter(({ body, version = newestRelease }) => body !== undefined && version === newestRelease)
  const byText = new Map(newest.map((input) => [JSON.stringify([input.path, input.body]), input]))
  return [...byText.values()].slice(0, 2)
}
