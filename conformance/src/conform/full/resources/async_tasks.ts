import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '../../../../../generated/operations.ts'
import { isObject } from '@workspace-service/server/kernel/is_object.ts'
import type { FullRunContext } from '../full_run_context.ts'

const LOOKS_MAX = 20
const PAUSE_MS = 250
const ENDED: ReadonlySet<unknown> = new Set(['succeeded', 'failed'])

/** Waits for a task to end, because its results are removed with the page. */
export async function followTask({ client, run, runRecords }: FullRunContext, taskId: string): Promise<void> {
  for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
    const { value } = await client.call(operations.retrieveAsyncTask, { path: { task_id: taskId } })
    if (!isObject(value)) return
    if (ENDED.has(value['status'])) {
      runRecords.record(operations.createPage, value['result'])
      return
    }
    await sleep(PAUSE_MS)
  }
  run.leaveOut('retrieveAsyncTask: the end of a task', 'it exceeded the time limit of the run')
}
