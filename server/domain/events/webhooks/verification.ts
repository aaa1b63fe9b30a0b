import type { WebhookSubscription } from '../../../../generated/types.ts'
import { ServiceError } from '../../../kernel/errors.ts'
import type { Connection, Database, Transaction } from '../../../store/database.ts'
import { findSubscription, updateSubscription } from '../../../store/webhook_subscriptions.ts'
import { invalid, type Job, type JobKind, type WriteScope } from '../../shared/index.ts'
import { VERIFICATION_KIND, type SubscriptionWork } from './kinds.ts'
import { presentSubscription } from './present.ts'
import type { Receivers, Reply, Webhook } from './receivers.ts'
import { requestVerification } from './start.ts'
import { activation, findOwnSubscription } from './subscriptions.ts'
import { isSameToken, newVerificationToken, openToken, sealToken } from './token.ts'

const WRONG_TRIES_MAX = 10
const INTERRUPTED = 'The service was interrupted before the receiver responded.'

/**
 * Compares a token with the one that was sent. If they are equal, the pending subscription becomes active.
 * @returns the error for a wrong token, if the attempt must be committed
 */
export async function verifySubscription(
  scope: WriteScope,
  id: string,
  offered: string,
): Promise<WebhookSubscription | ServiceError> {
  const { db, now } = scope
  const row = await findOwnSubscription(scope, id)
  const token = row.sealed_token === null ? undefined : await openToken(db, row.id, row.sealed_token)
  // An expired token is compared as well, so that it takes the same time.
  const isRight = isSameToken(token ?? newVerificationToken(), offered)
  const isPending = row.status === 'pending_verification'
  if (isRight && isPending) {
    await updateSubscription(db, row, { ...activation(row, now), wrong_tries: 0, verified_time: now, last_edited_time: now })
    return presentSubscription(await findOwnSubscription(scope, id))
  }
  if (isRight) return presentSubscription(row)
  if (!isPending) return wrongToken('should be the token that was sent to the address')
  const tries = Math.min(row.wrong_tries + 1, WRONG_TRIES_MAX)
  const isVoid = tries === WRONG_TRIES_MAX
  await updateSubscription(db, row, { wrong_tries: tries, ...(isVoid ? { sealed_token: null } : {}) })
  return wrongToken(
    isVoid
      ? 'should be requested again: the token became invalid after too many wrong ones'
      : 'should be the token that was sent to the address',
  )
}

/** The error for a wrong token. Its message does not contain the token, which may be almost right. */
function wrongToken(claim: string): ServiceError {
  return invalid('body.verification_token', claim)
}

/** Sends the token of a pending subscription again, or a new one if it has expired. */
export async function resendToken(scope: WriteScope, id: string): Promise<WebhookSubscription> {
  const { db, now } = scope
  const row = await findOwnSubscription(scope, id)
  if (row.status !== 'pending_verification')
    throw new ServiceError('validation_error', { message: `The webhook subscription with id ${row.id} is verified already.` })
  if (row.sealed_token === null)
    await updateSubscription(db, row, { sealed_token: await sealToken(db, row.id, newVerificationToken()), wrong_tries: 0 })
  await requestVerification(db, { homeId: row.workspace_id, subscriptionId: row.id }, now)
  return presentSubscription(row)
}

interface VerificationDeps {
  readonly database: Database
  readonly receivers: Receivers
  now(): number
}

/** The kind of jobs that send verification requests, with one attempt each. */
export function verificationKind({ database, receivers, now }: VerificationDeps): JobKind {
  const keep = async (db: Transaction, job: Job, reply: Pick<Reply, 'statusCode' | 'error'>): Promise<void> => {
    const { homeId, subscriptionId } = job.payload as SubscriptionWork
    await updateSubscription(
      db,
      { workspace_id: homeId, id: subscriptionId },
      { verification_time: now(), verification_status: reply.statusCode, verification_error: reply.error },
    )
  }
  return {
    name: VERIFICATION_KIND,
    pauses: [],
    leaseMilliseconds: 30_000,
    atOnce: 50,
    async run(job, attempt) {
      const webhook = await database.read((db) => verificationOf(db, job.payload as SubscriptionWork))
      if (webhook === undefined) return
      const reply = await receivers.send(webhook, attempt.signal)
      await attempt.finish((db) => keep(db, job, reply))
    },
    died: (db, job) => keep(db, job, { statusCode: null, error: INTERRUPTED }),
  }
}

/** The webhook to send; undefined if there is no longer a token to verify. */
async function verificationOf(db: Connection, { homeId, subscriptionId }: SubscriptionWork): Promise<Webhook | undefined> {
  const row = await findSubscription(db, homeId, subscriptionId)
  if (!row?.sealed_token) return undefined
  return { url: row.url, token: await openToken(db, row.id, row.sealed_token), content: 'verification token' }
}
