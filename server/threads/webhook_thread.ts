/** The thread that forms events and delivers them, as jobs like all others, with its own connections to the database. `WebhookThread` starts it. */

import { parentPort, workerData } from 'node:worker_threads'
import { pino } from 'pino'
import { JobQueue } from '../domain/jobs/queue.ts'
import { startJobRunner } from '../jobs/job_runner.ts'
import { webhookKinds } from '../jobs/webhook_kinds.ts'
import { maskText } from '../kernel/masking.ts'
import { WebhookReceivers } from '../outbound/webhook_receivers.ts'
import { deliveryLimits } from '../store/limits.ts'
import { openDatabase } from '../store/open.ts'
import { giveWay } from './give_way.ts'
import { QueuedReceivers } from './queued_receivers.ts'
import type { WebhookThreadOptions, WebhookThreadOrder, WebhookThreadReport } from './webhook_messages.ts'
import { onDamage } from '../store/stored/damage.ts'

const RUNNING_EVERY_MS = 1_000

giveWay()

const { database: address, sharedTime, ...options } = workerData as WebhookThreadOptions
const now = (): number => sharedTime?.[0] ?? Date.now()
const queue = new JobQueue()
const database = queue.watching(openDatabase(address, deliveryLimits))
const receivers = new QueuedReceivers(new WebhookReceivers(options))
const log = pino({ base: null, timestamp: false }, { write: (line) => report({ line }) })
onDamage((damage) => log.error(damage, 'a stored value is damaged; run `workspace-service doctor`'))
const runner = startJobRunner({ database, queue, kinds: webhookKinds({ database, receivers, now }), now, scrub: maskText, log })
let reported = ''
const reporting = setInterval(reportRunning, RUNNING_EVERY_MS)

parentPort?.on('message', (order: WebhookThreadOrder) => void carryOut(order))

async function carryOut(order: WebhookThreadOrder): Promise<void> {
  if (order === 'look') return queue.wake()
  if (order === 'stop') return stop()
  if (order === 'settle') await runner.drain()
  report({ done: order })
}

/** What is on its way gets a moment to be answered. */
async function stop(): Promise<void> {
  await runner.stop()
  clearInterval(reporting)
  receivers.close()
  await database.close()
  parentPort?.close()
}

function reportRunning(): void {
  const running = runner.running()
  const text = [...running.values()].join()
  if (text !== reported) report({ running })
  reported = text
}

function report(what: WebhookThreadReport): void {
  parentPort?.postMessage(what)
}
