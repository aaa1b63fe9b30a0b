/** The thread that renders, signs and sends webhooks. `WebhookSender` starts it. */

import { parentPort, workerData } from 'node:worker_threads'
import { renderWebhook } from '../domain/webhooks/payload.ts'
import { WebhookReceivers } from '../outbound/webhook_receivers.ts'
import type { ReplyBatch, WebhookBatch, WebhookThreadOptions } from './webhook_messages.ts'
import { WebhookQueues, type NumberedWebhook } from './webhook_queues.ts'

const receivers = new WebhookReceivers(workerData as WebhookThreadOptions)
const queues = new WebhookQueues(send)
const inFlight = new Map<number, AbortController>()
let replies: ReplyBatch[number][] = []
/** Whether the main thread has received the last batch. While it is busy, replies are collected. */
let mayPost = true

parentPort?.on('message', ({ webhooks, cancelled, takenBack, isPing }: WebhookBatch) => {
  mayPost = true
  for (const number of cancelled) inFlight.get(number)?.abort()
  for (const numbered of webhooks) queues.add(numbered)
  for (const queue of takenBack) replies.push(...queues.takeBack(queue).map((number) => ({ number })))
  queues.begin()
  if (isPing || replies.length > 0) post()
})

async function send({ number, webhook }: NumberedWebhook): Promise<void> {
  const aborting = new AbortController()
  inFlight.set(number, aborting)
  try {
    const start = performance.now()
    const reply = await receivers.send({ url: webhook.url, ...renderWebhook(webhook) }, aborting.signal)
    replies.push({ number, reply: { ...reply, milliseconds: performance.now() - start } })
    if (mayPost) post()
  } catch (error) {
    if (!aborting.signal.aborted) throw error
  } finally {
    inFlight.delete(number)
  }
}

function post(): void {
  mayPost = false
  parentPort?.postMessage(replies satisfies ReplyBatch)
  replies = []
}
