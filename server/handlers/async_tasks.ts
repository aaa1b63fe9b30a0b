import { retrieveAsyncTask } from '../domain/async_tasks/tasks.ts'
import type { Handlers } from '../contract/call.ts'

export const asyncTasks = {
  retrieveAsyncTask: (call) => call.read((scope) => retrieveAsyncTask(scope, call.path.task_id)),
} satisfies Partial<Handlers>
