/** The thread that renders, signs and sends webhooks. `WebhookSender` starts it. */

import { parentPort, workerData } from 'node:worker_threads'
import { renderWebhook } from '../domain/webhooks/payload.ts'
import type { Webhook } from '../domain/webhooks/receivers.ts'
import { WebhookReceivers } from '../outbound/webhook_receivers.ts'
import type { ReplyBatch, WebhookBatch, WebhookThreadOptions } from './webhook_messages.ts'

const receivers = new WebhookReceivers(workerData as WebhookThreadOptions)
const inFlight = new Map<number, AbortController>()
let replies: ReplyBatch[number][] = []
/** Whether the main thread has taken the last batch. While it is busy, replies gather. */
let mayPost = true

parentPort?.on('message', ({ webhooks, cancelled }: WebhookBatch) => {
  mayPost = true
  for (const number of cancelled) inFlight.get(number)?.abort()
  for (const { number, webhook } of webhooks) void send(number, webhook)
  post()
})

async function send(number: number, webhook: Webhook): Promise<void> {
  const aborting = new AbortController()
  inFlight.set(number, aborting)
  try {
    const reply = await receivers.send({ url: webhook.url, ...renderWebhook(webhook) }, aborting.signal)
    replies.push({ number, reply })
    post()
  } catch (error) {
    if (!aborting.signal.aborted) throw error
  } finally {
    inFlight.delete(number)
  }
}

function post(): void {
  if (!mayPost || replies.length === 0) return
  mayPost = false
  parentPort?.postMessage(replies satisfies ReplyBatch)
  replies = []
}
