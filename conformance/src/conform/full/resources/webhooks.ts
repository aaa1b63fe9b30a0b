import { operations } from '../../../../../generated/operations.ts'
import { DatedContract } from '../../../dated_contract.ts'
import type { FullParts, Resource } from '../parts.ts'
import { sendExamples, type Target } from '../send_examples.ts'

const REFUSED_MIN = 400

/** Webhook subscriptions. They belong to no page, so each is deleted; none is ever active, because nobody receives its token. */
export const webhookSubscriptions: Resource = {
  async exercise(parts) {
    await sendExamples(parts, operations.createWebhookSubscription)
    const [first, second] = parts.inside.made(operations.createWebhookSubscription.tag)
    if (first === undefined) return
    const path = { subscription_id: first }
    await sendExamples(parts, operations.updateWebhookSubscription, {
      target: (): Target => ({ path }),
      // An unverified subscription cannot be paused.
      uncertain: new Set(['pause']),
    })
    await parts.writer.send(operations.sendWebhookVerification, { path }, { name: 'the token again', isCertain: false })
    await verifyWrongly(parts, path)
    if (second !== undefined) await deleteSubscription(parts, second)
  },

  async clean(parts) {
    for (const id of parts.inside.made(operations.createWebhookSubscription.tag)) await deleteSubscription(parts, id)
  },
}

async function deleteSubscription({ inside, writer }: FullParts, id: string): Promise<void> {
  const asked = { path: { subscription_id: id } }
  if (await writer.send(operations.deleteWebhookSubscription, asked, { name: 'a subscription', isCertain: true }))
    inside.forget(id)
}

/** The token goes to an address that the run does not listen at: any other token has to be refused. */
async function verifyWrongly({ run, writer }: FullParts, path: Readonly<Record<string, string>>): Promise<void> {
  const operation = operations.verifyWebhookSubscription
  const [[, body] = []] = DatedContract.of().requestExamples(operation)
  const answer = await writer.ask(operation, { path, body }, 'a wrong token')
  if (!answer) return
  if (answer.status < REFUSED_MIN) writer.expect(false, operation, answer, 'status', 'is a success, though the token was wrong')
  else run.leaveOut(`${operation.id}: the right token`, 'it goes to an address that the run does not listen at')
}
