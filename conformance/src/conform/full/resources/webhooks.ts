import { operations } from '../../../../../generated/operations.ts'
import { DatedContract } from '../../../dated_contract.ts'
import type { FullRunContext, Resource } from '../full_run_context.ts'
import { sendExamples, type Target } from '../send_examples.ts'

const REFUSED_MIN = 400

/** Webhook subscriptions. They belong to no page, so each is deleted; none is ever active, because nobody receives its token. */
export const webhookSubscriptions: Resource = {
  async exercise(context) {
    await sendExamples(context, operations.createWebhookSubscription)
    const [first, second] = context.runRecords.made(operations.createWebhookSubscription.tag)
    if (first === undefined) return
    const path = { subscription_id: first }
    await sendExamples(context, operations.updateWebhookSubscription, {
      target: (): Target => ({ path }),
      // An unverified subscription cannot be paused.
      uncertain: new Set(['pause']),
    })
    await context.writer.send(operations.sendWebhookVerification, { path }, { name: 'the token again', isCertain: false })
    await verifyWrongly(context, path)
    if (second !== undefined) await deleteSubscription(context, second)
  },

  async clean(context) {
    for (const id of context.runRecords.made(operations.createWebhookSubscription.tag)) await deleteSubscription(context, id)
  },
}

async function deleteSubscription({ runRecords, writer }: FullRunContext, id: string): Promise<void> {
  const input = { path: { subscription_id: id } }
  if (await writer.send(operations.deleteWebhookSubscription, input, { name: 'a subscription', isCertain: true }))
    runRecords.forget(id)
}

/** Sends a wrong token, which has to be refused. The run cannot receive the right one, because it does not listen at the address. */
async function verifyWrongly({ run, writer }: FullRunContext, path: Readonly<Record<string, string>>): Promise<void> {
  const operation = operations.verifyWebhookSubscription
  const [[, body] = []] = DatedContract.of().requestExamples(operation)
  const response = await writer.ask(operation, { path, body }, 'a wrong token')
  if (!response) return
  if (response.status < REFUSED_MIN)
    writer.expect(false, operation, response, 'status', 'is a success, though the token was wrong')
  else run.leaveOut(`${operation.id}: the right token`, 'it is sent to an address where the run does not listen')
}
